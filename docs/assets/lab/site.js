/** Where the site is: the folder above `assets/`. This file stays in `assets/lab/`, bundled or not, so that this holds. */

export const SITE = new URL("../../", import.meta.url);
