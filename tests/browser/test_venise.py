from evening import evening, head, tap
from playwright.sync_api import expect
from shots import shoot


def test_a_short_game_on_two_phones(table, chromium):
    with evening(table, chromium) as players:
        host = players.host()
        names = {"name-1": "Ana", "name-2": "Bruno", "layout": "The grand canal"}
        choices = {"place-2": "green", "first": "1", "side": "night", "rule-goal_gems": "1"}
        players.new_game(host, "venise", names, choices=choices)
        ana, bruno = players.phone("red"), players.phone("green")
        head(ana, "Your turn")
        head(bruno, "Ana’s turn")
        expect(bruno.locator("#board")).to_contain_text("The grand canal")
        expect(bruno.get_by_role("button", name="Take a joker")).to_have_count(0)

        tap(ana, "Short plank")
        expect(ana.locator(".glasses")).to_contain_text("3 left")
        tap(ana, "2 moves")
        expect(ana.locator(".glasses")).to_contain_text("1 left")
        tap(ana, "3 moves")
        expect(ana.locator("#said")).to_contain_text("Rule VN-R3")
        expect(ana.locator("#said a")).to_have_attribute("href", "/rules/venise#VN-R3")
        shoot(ana, "venise", full_page=True)
        tap(ana, "End of turn")

        head(bruno, "Your turn")
        tap(bruno, "Take a joker")
        expect(bruno.locator("#turn")).to_contain_text("no cards in this turn")
        tap(bruno, "End of turn")
        head(bruno, "discard")
        tap(bruno, "Discard 1", exact=True)

        head(ana, "Your turn")
        ana.locator("#remove-plank summary").click()
        tap(ana, "Remove a plank: short")
        expect(ana.locator(".player.is-active")).to_contain_text("Short planks4")
        tap(ana, "End of turn")
        head(bruno, "Your turn")
        bruno.get_by_text("Play a joker as").click()
        tap(bruno, "3 moves")
        expect(bruno.locator(".glasses")).to_contain_text("2 left")
        tap(bruno, "I reached my gem")
        for page in (ana, bruno, host):
            head(page, "Bruno wins!")
