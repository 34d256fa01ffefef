from evening import evening, head, tap
from playwright.sync_api import expect
from shots import shoot

NAMES = {"name-1": "Ana", "name-2": "Bruno", "campanile": "9B"}
HOMES = {"home-1": "Castello", "home-2": "San Polo"}


def hold(page, place, name):
    button = page.get_by_role("button", name=f"{place}: {name}", exact=True)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def point(page, square):
    """The two taps that say where the arrows stopped."""
    page.locator(".spin .dials label", has_text=square[:-1]).first.click()
    page.locator(".spin .letters button", has_text=square[-1]).first.click()


def spin(page, square):
    seq = page.locator("#board").get_attribute("data-seq")
    point(page, square)
    expect(page.locator("#board")).not_to_have_attribute("data-seq", seq)


def test_a_short_game_at_level_score_on_two_phones(table, chromium):
    with evening(table, chromium) as players:
        host = players.host()
        players.new_game(host, "venezia", {**NAMES, "campanile": ""}, ["detail-score"])
        ana, bruno = players.phone("red"), players.phone("yellow")
        head(bruno, "Ana: where is your home?")
        tap(ana, "Castello")
        tap(bruno, "San Polo")
        head(ana, "Where does the Campanile stand?")
        ana.locator("[data-square='9B']").click()
        tap(ana, "The Campanile stands on 9B")

        head(bruno, "Spin for the tourist (1 of 2)")
        spin(bruno, "4C")
        spin(bruno, "5D")
        head(ana, "Spin for the hunter")
        spin(ana, "8H")
        head(ana, "Move your pigeons")
        tap(ana, "All moves are done")
        head(bruno, "Who holds what?")
        hold(bruno, "San Polo", "Ana")
        hold(ana, "Castello", "Ana")
        shoot(ana, "venezia-score", full_page=True)
        tap(bruno, "Score the round")
        # Another player's home counts 6, the own one 3.
        expect(ana.locator(".player").first).to_contain_text("9 of 50")

        head(ana, "Spin for the tourist")
        tap(ana, "Don’t note the spins")
        tap(ana, "All moves are done")
        head(ana, "Action cards")
        tap(ana, "Robbery Bird")
        expect(bruno.locator("#board")).to_contain_text("Robbery Bird")
        tap(bruno, "Feud")
        expect(bruno.get_by_role("button", name="Feud ✓")).to_be_visible()
        tap(ana, "That’s all the cards")
        head(ana, "Your turn")
        head(bruno, "Ana’s turn")
        tap(ana, "San Marco")
        for place in ("Castello", "San Polo", "Dorsoduro", "Cannaregio", "Santa Croce"):
            hold(bruno, place, "Bruno")
        tap(bruno, "Score the round")
        for page in (ana, bruno, host):
            head(page, "Bruno wins!")


def test_a_round_in_full_detail_on_two_phones(table, chromium):
    with evening(table, chromium) as players:
        host = players.host()
        choices = {**HOMES, "rule-sealed_plans": "True"}
        players.new_game(host, "venezia", NAMES, ["detail-full"], choices)
        ana, bruno = players.phone("red"), players.phone("yellow")
        both_plan(ana, bruno)
        head(ana, "Your turn")
        for square in ("3C", "4C", "6F"):
            ana.locator(f"[data-square='{square}']").click()
        tap(ana, "Put 3 of 3")
        head(bruno, "Your turn")
        bruno.locator("[data-square='5C']").click()
        shoot(bruno, "venezia-put", full_page=True)
        tap(bruno, "Put 1 of 1")
        head(ana, "Spin for the tourist")
        spin(ana, "7F")
        spin(ana, "1A")
        point(bruno, "9B")  # the Campanile: spin again
        expect(bruno.locator("#said")).to_contain_text("Rule VZ-E6")
        expect(bruno.locator("#said a")).to_have_attribute("href", "/rules/venezia#VZ-E6")
        spin(bruno, "10H")
        head(ana, "The hunter finds nobody")
        tap(ana, "The hunted pigeons are off")

        head(ana, "Your turn")
        ana.locator("[data-square='3C']").click()
        # 3C jumps over 4C? Yellow's pigeon stands behind it, so no: one step is what is left.
        expect(ana.locator("[data-square='5C']")).not_to_have_class("target")
        ana.locator("[data-square='3D']").click()
        shoot(ana, "venezia-move", full_page=True)
        tap(ana, "Move 3C → 3D")
        expect(bruno.locator("#board")).to_contain_text("moves from 3C to 3D")
        ana.locator("[data-square='6F']").click()
        ana.locator("[data-square='8F']").click()
        tap(ana, "Move 6F → 8F")
        tap(ana, "My moves are done")
        head(bruno, "Your turn")
        tap(bruno, "My moves are done")
        head(ana, "Your turn")
        tap(ana, "Move 2 home")
        head(ana, "District cards")
        tap(bruno, "Uncover the districts")
        tap(ana, "Score the round")
        expect(bruno.locator(".player").first).to_contain_text("3 of 50")
        tap(bruno, "Chase them away")
        tap(ana, "Next round")
        expect(ana.locator("#turn")).to_contain_text("Round 2")
        ana.locator("#to-score summary").click()
        tap(ana, "Keep only the score")
        head(bruno, "Spin for the tourist")


def both_plan(ana, bruno):
    """Two sealed plans, of which nobody else sees anything."""
    plan(ana, "red", piazza=3, area="Castello", there=2)
    head(ana, "Waiting for Bruno")
    expect(ana.locator(".private")).to_contain_text("Castello: 2")
    expect(bruno.locator("#board")).not_to_contain_text("Castello: 2")
    plan(bruno, "yellow", piazza=1, area="San Marco", there=4)


def plan(page, seat, piazza, area, there):
    """Seal a plan of round 1: pigeons on the card Piazza and on one district card."""
    for _ in range(piazza):
        page.get_by_label("One more: pigeons on Piazza San Marco").click()
    page.select_option(f"#plan-1-{seat}-area-0", area)
    for _ in range(there):
        page.get_by_label("One more: pigeons on district card 1").click()
    tap(page, "Seal my plan")
