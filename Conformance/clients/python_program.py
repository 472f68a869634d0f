"""A program that uses the Python client: it writes numbered records, and says of each that the call has returned.

usage: python_program.py ADDRESS FOLDER [SECONDS]   (SECONDS: the fault of its clock)
Each line of standard input is `FIRST COUNT`, which writes so many records, or `close`.
"""

import datetime
import logging
import sys
import time

import bellwether_client


def set_clock(seconds):
    class Shifted(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return super().now(tz) + datetime.timedelta(seconds=seconds)

    true_time = time.time
    bellwether_client.datetime = Shifted
    time.time = lambda: true_time() + seconds


def write(client, number):
    """Writes one record: an event, an answer to a questionnaire, or one to a microsurvey."""
    if number % 3 == 0:
        client.track(f"event_{number}", client_id=f"client-{number % 5}")
    elif number % 3 == 1:
        client.submit("questionnaire", "nps", {"score": number % 11}, client_id=f"client-{number}")
    else:
        client.answer("mood", "0", client_id=f"client-{number}")


def main():
    # What the test provokes is no news.
    logging.disable(logging.CRITICAL)
    address, folder, *clock = sys.argv[1:]
    if clock:
        set_clock(float(clock[0]))
    client = bellwether_client.Client(address, "trails", folder=folder, token="phone-text", interval=0)
    for line in sys.stdin:
        if line.strip() == "close":
            print("closed" if client.close(60) else "not sent", flush=True)
            return
        first, count = map(int, line.split())
        for number in range(first, first + count):
            write(client, number)
            print(number, flush=True)


if __name__ == "__main__":
    main()
