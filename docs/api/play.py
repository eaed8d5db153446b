"""Plays one round with the client that openapi-python-client makes of /api/openapi.json.

Usage: python play.py BASE TOKEN TABLE; the token is a player's own, and there is money in the wallet.
"""

import sys
import time
import uuid

from croupier_client import AuthenticatedClient
from croupier_client.api.history import history_mine
from croupier_client.api.people import people_me
from croupier_client.api.tables import tables_about, tables_command, tables_view
from croupier_client.models import (
    ActionBuyIn,
    ActionBuyInBuyIn,
    ActionPlace,
    ActionStand,
    ActionStandStand,
    CommandRequest,
    Phase,
    Place,
    Problem,
)
from croupier_client.types import UNSET

base, token, table = sys.argv[1], sys.argv[2], int(sys.argv[3])
client = AuthenticatedClient(base_url=base, token=token)


def good(answer):
    if answer is None or isinstance(answer, Problem):
        sys.exit(f"refused: {answer}")
    return answer


def command(action, answers=UNSET):
    body = CommandRequest(id=str(uuid.uuid4()), action=action, answers=answers)
    return good(tables_command.sync(table, client=client, body=body))


def view():
    return good(tables_view.sync(table, client=client))


me = good(people_me.sync(client=client))
info = good(tables_about.sync(table, client=client))
command(ActionStand(stand=ActionStandStand(player=me.id)))
command(ActionBuyIn(buy_in=ActionBuyInBuyIn(player=me.id, amount=20_000, cash=False)))
while (shown := view()).view.felt.phase is not Phase.BETS_OPEN:
    time.sleep(0.2)
wager = Place(player=me.id, bet="player", amount=1_000, in_chips=True, untimed=False)
receipt = command(ActionPlace(place=wager), shown.moment)
print(f"laid 10.00 on {wager.bet} in round {shown.moment.round_}, line {receipt.sequence}")
while not (played := good(history_mine.sync(client=client)).rounds):
    time.sleep(0.2)
cited = [info.cites.clauses[basis.clause] for basis in played[0].wagers[0].cites if hasattr(basis, "clause")]
print(f"round {played[0].round_} brought {played[0].net}, by {', '.join(cited)}")
