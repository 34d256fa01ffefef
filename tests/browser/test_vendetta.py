from evening import evening, head, tap
from playwright.sync_api import expect
from shots import shoot


def test_a_short_game_at_level_score_on_three_phones(table, chromium):
    with evening(table, chromium) as players:
        host = players.host()
        names = {"name-A": "Ana", "name-B": "Bruno", "name-C": "Chiara", "district-13": "Docks"}
        players.new_game(host, "vendetta", names, ["detail-score"])
        ana, bruno, chiara = (players.phone(seat) for seat in "ABC")
        head(bruno, "Who is the oldest?")
        tap(bruno, "Bruno")
        tap(chiara, "Begin round 1")
        turns = [bruno, chiara, ana]
        # Each phase is one tap, on whichever phone is at hand.
        for phase in range(11):
            active = turns[phase % 3]
            head(active, "Your turn")
            expect(active.locator("#turn")).to_contain_text(f"phase {phase + 1} of 11")
            if phase == 4:
                tap(active, "Don’t note the card")
            else:
                tap(active, str(phase + 1), exact=True)
        head(ana, "Who controls what?")
        for district in range(1, 6):
            tap(ana, f"{district}: Ana", exact=True)
            expect(ana.get_by_role("button", name=f"{district}: Ana", exact=True)).to_have_attribute(
                "aria-pressed", "true"
            )
        tap(bruno, "6: Bruno", exact=True)
        expect(ana.get_by_role("button", name="6: Bruno", exact=True)).to_have_attribute("aria-pressed", "true")
        shoot(ana, "vendetta-control", full_page=True)
        tap(chiara, "Score the round")
        # Five districts of six: 250 points. The next round brings the sixth.
        expect(ana.locator(".player").first).to_contain_text("250")
        for _ in range(11):
            seq = ana.locator("#board").get_attribute("data-seq")
            tap(ana, "Don’t note the card")
            expect(ana.locator("#board")).not_to_have_attribute("data-seq", seq)
        for district in range(1, 7):
            tap(ana, f"{district}: Ana", exact=True)
            expect(ana.get_by_role("button", name=f"{district}: Ana", exact=True)).to_have_attribute(
                "aria-pressed", "true"
            )
        tap(ana, "Score the round")
        for page in (ana, bruno, chiara, host):
            head(page, "Ana wins!")


def test_a_hand_is_entered_and_shown_on_its_own_phone_alone(table, chromium):
    with evening(table, chromium) as players:
        host = players.host()
        cards = {f"card-{seat}-{at}": str(number) for seat, pair in DEALT.items() for at, number in pair.items()}
        players.new_game(host, "vendetta", {**NAMES, **cards}, ["detail-full"], {"trustee": "A"})
        ana, bruno = players.phone("A"), players.phone("B")
        players.phone("C")
        expect(bruno.locator(".private")).to_contain_text("10 in hand")
        tap(ana, "The cards lie ready")
        head(ana, "Your turn")
        expect(host.locator("form.place")).to_have_count(0)
        expect(host.locator(".private")).to_have_count(0)

        more = ana.get_by_label("One more: gangsters in district 5")
        for _ in range(3):
            more.click()
        expect(ana.locator("[data-left]")).to_have_text("7")
        # The starting player may place in one district only, so the others can't be stepped up now.
        expect(ana.get_by_label("One more: gangsters in district 6")).to_be_disabled()
        # Half entered things survive what happens meanwhile on other phones.
        bruno.locator("#own-words summary").click()
        bruno.fill("#colour-of-B", "lilac")
        bruno.locator("#colour-form-B button").click()
        expect(ana.locator("#board")).to_contain_text("lilac")
        expect(ana.get_by_label("gangsters in district 5", exact=True)).to_have_value("3")
        shoot(ana, "vendetta-place", full_page=True)
        tap(ana, "Place 3")
        head(bruno, "Ana’s turn")
        expect(ana.locator(".private")).to_contain_text("7 in hand")
        tap(bruno, "5", exact=True)
        head(bruno, "Your turn")
        expect(bruno.locator("#board")).to_contain_text("Last vendetta: 5")
        expect(bruno.locator("#board")).not_to_contain_text("8 in hand")
        expect(ana.locator(".private")).to_contain_text("8 in hand")


NAMES = {"name-A": "Ana", "name-B": "Bruno", "name-C": "Chiara"}
DEALT = {"A": {1: 1, 2: 2}, "B": {1: 3, 2: 4}, "C": {1: 6, 2: 7}}
