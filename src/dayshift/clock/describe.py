"""The office time in one line, for agents and people, in English and Chinese."""
# ruff: noqa: RUF001  Chinese is written with Chinese signs

from dayshift.core.clock import Clock

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS_ZH = "一二三四五六日"


def describe(clock: Clock, language: str = "en") -> str:
    """Weekday, date, time of day, zone and office day, in one line.

    Args:
        clock: The office's clock.
        language: ``zh`` for Chinese; anything else is English.
    """
    now, day = clock.now(), clock.day()
    zone = f"{now.tzinfo}, UTC{now:%z}"
    is_simulated = clock.mode == "simulated"
    if language == "zh":
        date = f"{now.year}年{now.month}月{now.day}日 星期{_DAYS_ZH[now.weekday()]}"
        kind = "（模拟时间）" if is_simulated else ""
        return f"{date} {now:%H:%M:%S}（{zone}），第{day}个办公日{kind}。"
    date = f"{_DAYS[now.weekday()]}, {now.day} {_MONTHS[now.month - 1]} {now.year}"
    kind = " in simulated time" if is_simulated else ""
    return f"{date}, {now:%H:%M:%S} ({zone}), office day {day}{kind}."
