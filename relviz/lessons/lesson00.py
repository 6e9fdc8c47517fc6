"""The self-check of lesson 00: five questions, each with the lesson that answers it."""

from relviz.lessons import Exercise


def choice(key: str, right: str, *wrong: str) -> Exercise:
    """A question with lettered options; each wrong one has an answer of its own."""
    return Exercise(key, right, mistakes={letter: letter for letter in wrong}, hints=1)


EXERCISES = [
    choice("00.1", "c", "a", "b"),
    choice("00.2", "b", "a", "c"),
    choice("00.3", "a", "b", "c"),
    choice("00.4", "c", "a", "b"),
    choice("00.5", "a", "b", "c"),
]
