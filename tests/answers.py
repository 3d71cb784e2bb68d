"""Compares a line of output with the one that a program states."""

import math
import re

NUMBER = re.compile(r"-?(?:nan|inf|\d+(?:\.\d+)?(?:e[-+]\d+)?)")
TOLERANCE = 1e-5


def is_about(stated, found):
    """Whether two lines `NAME = VALUE` or `VALUE` differ only in the last digits of numbers."""
    stated_name, _, stated_value = stated.rpartition(" = ")
    found_name, _, found_value = found.rpartition(" = ")
    if stated_name != found_name or NUMBER.split(stated_value) != NUMBER.split(found_value):
        return False
    numbers = zip(NUMBER.findall(stated_value), NUMBER.findall(found_value))
    return all(is_near(float(one), float(other)) for one, other in numbers)


def is_near(one, other):
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def is_answer(stated, found):
    """Whether the lines found are those stated, which are pairs (text, whether last digits may differ)."""
    return len(stated) == len(found) and all(
        is_about(text, line) if about else text == line
        for (text, about), line in zip(stated, found))
