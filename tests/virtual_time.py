"""A clock that goes on when a test says so, and waits for nobody."""


class VirtualTime:
    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def monotonic(self) -> float:
        return self.now

    def date_s(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
