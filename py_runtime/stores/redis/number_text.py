"""Numbers as Redis reads and writes them: strict 64-bit integers, C doubles, and x86 long doubles for INCRBYFLOAT.

Decides which texts are numbers and how a number is printed. Knows no command.
"""

from py_runtime.stores.replies import ErrorReply

INT_MIN = -(2**63)
INT_MAX = 2**63 - 1
NOT_INTEGER = "ERR value is not an integer or out of range"
_DIGITS_MAX = 4200  # a long double goes to 10^4932, but Python prints no integer of more than 4300 digits
_DECIMAL_LENGTH = 5 * 1024  # Redis reads a long double into a buffer of that many bytes
NOT_FLOAT = "ERR value is not a valid float"


def parse_int(text: bytes, error: str = NOT_INTEGER) -> int:
    """A signed 64-bit integer written in the one canonical way (no `+`, spaces, leading zeros). Raises `error`."""
    try:
        number = int(text)
    except ValueError:
        raise ErrorReply(error) from None
    if INT_MIN <= number <= INT_MAX and b"%d" % number == text:
        return number
    raise ErrorReply(error)


def parse_double(text: bytes, error: str = NOT_FLOAT) -> float:
    """A double as C's `strtod` reads it, the whole text, neither NaN nor beyond the range. Raises `error`."""
    try:
        number = float(text)
    except ValueError:
        number = _hexadecimal(text)
        if number is None:
            raise ErrorReply(error) from None
    if number - number == 0.0 and text[0] > 32 and text[-1] > 32 and b"_" not in text:
        if number or not any(digit in b"123456789" for digit in text.lower().partition(b"e")[0]):
            return number
    elif number in (float("inf"), float("-inf")) and text.lstrip(b"+-").lower() in (b"inf", b"infinity"):
        return number
    raise ErrorReply(error)


def parse_bound(text: bytes) -> float:
    """A score bound, read more leniently than a score: nothing is 0, too large is infinite, leading space may stand.

    It ends at its first zero byte, as a string of C does.
    """
    text = text.partition(b"\0")[0]
    if not text:
        return 0.0
    try:
        number = float(text)
    except ValueError:
        number = _hexadecimal(text)
    if number is None or number != number or text[-1] <= 32 or b"_" in text:
        raise ErrorReply("ERR min or max is not a float")
    return number


def _hexadecimal(text: bytes) -> float | None:
    if b"0x" not in text.lower()[:3] or b"_" in text:
        return None
    try:
        return float.fromhex(text.decode("ascii"))
    except (ValueError, OverflowError):
        return None


def format_double(number: float) -> bytes:
    """The text of a score in a reply: 17 significant digits, as Redis 7.0 prints them."""
    if -1e15 < number < 1e15:
        whole = int(number)
        if whole == number and (whole or str(number)[0] != "-"):
            return b"%d" % whole
    return b"%.17g" % number


Fraction = tuple[int, int]  # numerator, denominator


def add_decimals(left: Fraction | None, right: Fraction | None) -> bytes:
    """The sum as INCRBYFLOAT gives it: a mantissa of 64 bits, at most 17 decimals, trailing zeros trimmed.

    Redis uses the C type `long double`; this is what that type does on x86, where it has a mantissa of 64 bits.
    """
    if left is None or right is None:
        raise ErrorReply("ERR increment would produce NaN or Infinity")
    numerator, denominator = left
    other, below = right
    numerator, denominator = _round_to_mantissa(numerator * below + other * denominator, denominator * below)
    scaled, rest = divmod(abs(numerator) * 10**17, denominator)
    if 2 * rest > denominator or (2 * rest == denominator and scaled & 1):
        scaled += 1
    whole, decimals = divmod(scaled, 10**17)
    text = f"{whole}.{decimals:017d}".rstrip("0").rstrip(".")
    return ("-" + text if numerator < 0 and scaled else text).encode("ascii")


def parse_decimal(text: bytes, error: str = NOT_FLOAT) -> Fraction | None:
    """The long double nearest to a decimal text, None for an infinite one. Raises `error` for anything else."""
    unsigned = text[1:] if text[:1] in (b"+", b"-") else text
    if unsigned.lower() in (b"inf", b"infinity"):
        return None
    hexadecimal = _hexadecimal(text)
    if hexadecimal is not None:
        return hexadecimal.as_integer_ratio()
    mantissa, mark, exponent = unsigned.lower().partition(b"e")
    whole, _, decimals = mantissa.partition(b".")
    exponent_digits = exponent[1:] if exponent[:1] in (b"+", b"-") else exponent
    if len(text) >= _DECIMAL_LENGTH or not (whole + decimals).isdigit() or (mark and not exponent_digits.isdigit()):
        raise ErrorReply(error)
    if len(exponent_digits) > 5:
        raise ErrorReply(error)
    digits_text = (whole + decimals).lstrip(b"0")
    power = int(exponent or 0) - len(decimals) + max(len(digits_text) - _DIGITS_MAX, 0)
    digits = int(digits_text[:_DIGITS_MAX] or b"0")  # what is cut off is far beyond 64 bits
    if digits and not -4950 < power + len(digits_text[:_DIGITS_MAX]) <= _DIGITS_MAX:
        raise ErrorReply(error)
    if text[:1] == b"-":
        digits = -digits
    return _round_to_mantissa(digits * 10**power, 1) if power >= 0 else _round_to_mantissa(digits, 10**-power)


def _round_to_mantissa(numerator: int, denominator: int) -> Fraction:
    """The nearest fraction with a 64-bit numerator over a power of two, halves to even."""
    if numerator == 0:
        return 0, 1
    size = abs(numerator)
    shift = 64 - (size.bit_length() - denominator.bit_length())
    while True:
        scaled, below = (size << shift, denominator) if shift >= 0 else (size, denominator << -shift)
        quotient, rest = divmod(scaled, below)
        if quotient < 2**64:
            break
        shift -= 1
    if 2 * rest > below or (2 * rest == below and quotient & 1):
        quotient += 1
    if numerator < 0:
        quotient = -quotient
    return (quotient, 1 << shift) if shift >= 0 else (quotient << -shift, 1)
