/**
 * The page's entry: defines the panel's elements, once. Evaluated once per page load; instant navigation keeps it, and
 * elements of later pages come to life by themselves. embed.js comes first: on an embed page it reads the address, so that
 * the element starts with what the address asks for; on other pages it does nothing.
 */

import "./embed.js";
import "./panel/element.js";
import "./challenges/overview.js";
