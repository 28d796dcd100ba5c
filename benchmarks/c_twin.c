/* The job of `modernart bench` in plain scalar C: four `random` seats at a table of edition classic.
 *
 *     gcc -O3 -march=native -o c_twin c_twin.c
 *     ./c_twin GAMES SEED [--print GAME]
 *
 * Plays games 0..GAMES-1 of the run SEED with the streams, deal and rotation of docs/rules.md, without tallies, and
 * prints one JSON line. `checksum` is the sum over games and seats of money * (seat + 1) * (game % 1000 + 1), modulo
 * 2^64. `--print GAME` adds a line with that game's final money by seat; GAME need not be below GAMES.
 *
 * It shares nothing with the simulator: it is the yardstick for speed, and a second opinion on the final money.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEATS = 4, ARTISTS = 5, ROUNDS = 4, DECK = 70, END_COUNT = 5, STARTING_MONEY = 100 };
enum { MAX_AMOUNT = 40, MAX_RAISE = 10 }; /* of the `random` bidder */
enum { SHARE = 9 + 4 + 4 };               /* cards a seat is dealt in the whole game */
enum { HAND_SLOTS = 24 };                 /* SHARE, rounded up */

enum kind { OPEN, ONCE_AROUND, SEALED, FIXED_PRICE, DOUBLE };

static const int DEAL[ROUNDS] = {9, 4, 4, 0};
static const int RANK_VALUES[3] = {30, 20, 10};

/* Copies by artist in board order (LM YO CP KG KR) and kind (O R S F D): the order of the deck file. */
static const int COPIES[ARTISTS][5] = {
    {3, 3, 2, 2, 2}, {3, 2, 3, 3, 2}, {3, 3, 3, 3, 2}, {3, 3, 3, 3, 3}, {4, 3, 3, 3, 3},
};

/* A card is artist * 8 + kind. */
static inline int artist_of(int card) { return card >> 3; }
static inline int kind_of(int card) { return card & 7; }

/* ---- streams ---- */

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;
enum { PURPOSE_DEAL = 1, PURPOSE_DECISION = 2 };

static inline uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint64_t deal_key(uint64_t seed, uint64_t deal) { return mix(mix(seed + GOLDEN) + (deal + 1) * GOLDEN); }

static inline uint64_t stream_start(uint64_t key, int round, int seat, int purpose)
{
    uint64_t word = key ^ mix((uint64_t)(65536 * purpose + 256 * round + seat + 1));
    return mix(word) + word;
}

static inline int below(uint64_t *state, int n)
{
    *state += GOLDEN;
    return (int)(((mix(*state) >> 32) * (uint64_t)n) >> 32);
}

/* ---- the deal, shared by the four rotations of a block ---- */

struct deal {
    uint64_t key;
    int first_seat;
    uint8_t cards[DECK];
};

static uint8_t sorted_deck[DECK];

static void list_deck(void)
{
    int n = 0;
    for (int artist = 0; artist < ARTISTS; artist++)
        for (int kind = 0; kind < 5; kind++)
            for (int copy = 0; copy < COPIES[artist][kind]; copy++) sorted_deck[n++] = (uint8_t)(artist * 8 + kind);
}

static void make_deal(struct deal *deal, uint64_t seed, uint64_t block)
{
    deal->key = deal_key(seed, block);
    uint64_t stream = stream_start(deal->key, 0, 0, PURPOSE_DEAL);
    deal->first_seat = below(&stream, SEATS);
    memcpy(deal->cards, sorted_deck, DECK);
    for (int i = 0; i < SHARE * SEATS; i++) {
        int j = i + below(&stream, DECK - i);
        uint8_t card = deal->cards[i];
        deal->cards[i] = deal->cards[j];
        deal->cards[j] = card;
    }
}

/* ---- one game ---- */

struct game {
    uint64_t stream[SEATS]; /* each seat's decision stream of this round */
    int32_t money[SEATS];
    int32_t n_hand[SEATS];
    int32_t n_all_hands;
    int32_t value[ARTISTS];          /* gains of all rounds so far */
    int32_t n_out[ARTISTS];          /* cards put up this round */
    uint8_t bought[SEATS][8];        /* paintings by seat and artist, this round */
    uint8_t n_fitting[SEATS][8];     /* cards in hand that can be added to a double, by artist */
    uint8_t hand[SEATS][HAND_SLOTS]; /* cards in slots */
};

static inline int min_int(int a, int b) { return a < b ? a : b; }
static inline int left_of(int seat, int steps) { return (seat + steps) & (SEATS - 1); }

static void deal_round(struct game *g, const uint8_t *cards, int n_each)
{
    for (int seat = 0; seat < SEATS; seat++) {
        for (int i = 0; i < n_each; i++) {
            int card = *cards++;
            g->hand[seat][g->n_hand[seat]++] = (uint8_t)card;
            g->n_fitting[seat][artist_of(card)] += kind_of(card) != DOUBLE;
        }
    }
    g->n_all_hands += n_each * SEATS;
}

/* Puts up the card of a slot; the last slot's card takes its place. */
static inline int put_up(struct game *g, int seat, int slot)
{
    uint8_t *hand = g->hand[seat];
    int card = hand[slot];
    hand[slot] = hand[--g->n_hand[seat]];
    g->n_all_hands--;
    g->n_fitting[seat][artist_of(card)] -= kind_of(card) != DOUBLE;
    g->n_out[artist_of(card)]++;
    return card;
}

/* The round ends with the card just put up: an artist's fifth, or the last of all hands. */
static inline int is_ending(const struct game *g, int artist)
{
    return g->n_out[artist] >= END_COUNT || g->n_all_hands == 0;
}

/* The slot of the `nth` card that can be added to a double of `artist`. */
static inline int fitting_slot(const struct game *g, int seat, int artist, int nth)
{
    const uint8_t *hand = g->hand[seat];
    for (int slot = 0;; slot++)
        if (artist_of(hand[slot]) == artist && kind_of(hand[slot]) != DOUBLE && nth-- == 0) return slot;
}

static inline void sell(struct game *g, int seller, int buyer, int price, int artist, int n_cards)
{
    g->money[buyer] -= price;
    if (buyer != seller) g->money[seller] += price;
    g->bought[buyer][artist] += (uint8_t)n_cards;
}

/* Sells the lot; returns the number of questions asked. */
static inline int hold_auction(struct game *g, int kind, int seller, int artist, int n_cards)
{
    int buyer = seller, price = 0, n_asked = 0;
    switch (kind) {
    case OPEN: { /* everyone names a limit, he last; ties go to the first asked */
        int highest = 0, second = 0;
        for (int step = 1; step <= SEATS; step++) {
            int seat = left_of(seller, step);
            int limit = below(&g->stream[seat], min_int(g->money[seat], MAX_AMOUNT) + 1);
            second = limit > highest ? highest : limit > second ? limit : second;
            buyer = limit > highest ? seat : buyer;
            highest = limit > highest ? limit : highest;
        }
        price = min_int(highest, second + 1);
        n_asked = SEATS;
        break;
    }
    case SEALED: /* ties go to the auctioneer, then to the first on his left */
        for (int step = 1; step <= SEATS; step++) {
            int seat = left_of(seller, step);
            int amount = below(&g->stream[seat], min_int(g->money[seat], MAX_AMOUNT) + 1);
            int is_higher = amount + (seat == seller) > price;
            buyer = is_higher ? seat : buyer;
            price = is_higher ? amount : price;
        }
        n_asked = SEATS;
        break;
    case ONCE_AROUND:
        for (int step = 1; step <= SEATS; step++) {
            int seat = left_of(seller, step);
            if (g->money[seat] <= price) continue;
            n_asked++;
            if (below(&g->stream[seat], 2) == 0) continue;
            price += 1 + below(&g->stream[seat], min_int(g->money[seat] - price, MAX_RAISE));
            buyer = seat;
        }
        break;
    case FIXED_PRICE:
        price = below(&g->stream[seller], min_int(g->money[seller], MAX_AMOUNT) + 1);
        n_asked = 1;
        for (int step = 1; step < SEATS; step++) {
            int seat = left_of(seller, step);
            if (g->money[seat] < price) continue;
            n_asked++;
            if (below(&g->stream[seat], 2) != 0) {
                buyer = seat;
                break;
            }
        }
        break;
    }
    sell(g, seller, buyer, price, artist, n_cards);
    return n_asked;
}

/* Plays until the round ends; `*seat` is its starter, then the next round's. Returns the number of questions asked. */
static int play_round(struct game *g, int *seat)
{
    int turn = *seat, n_asked = 0;
    for (;;) {
        while (g->n_hand[turn] == 0) turn = left_of(turn, 1);

        n_asked++;
        int card = put_up(g, turn, below(&g->stream[turn], g->n_hand[turn]));
        int artist = artist_of(card), kind = kind_of(card), n_cards = 1;
        if (is_ending(g, artist)) break;

        if (kind == DOUBLE) { /* the owner may pair it, then the others may join, from his left */
            int owner = turn;
            for (int step = 0; step < SEATS && n_cards == 1; step++) {
                int asked = left_of(owner, step), n_fitting = g->n_fitting[asked][artist];
                if (n_fitting == 0) continue;
                n_asked++;
                if (below(&g->stream[asked], 2) == 0) continue;
                int slot = fitting_slot(g, asked, artist, below(&g->stream[asked], n_fitting));
                kind = kind_of(put_up(g, asked, slot));
                turn = asked;
                n_cards = 2;
            }
            if (n_cards == 1) { /* nobody adds a second: he keeps it, free */
                g->bought[owner][artist]++;
                turn = left_of(owner, 1);
                continue;
            }
            if (is_ending(g, artist)) break;
        }
        n_asked += hold_auction(g, kind, turn, artist, n_cards);
        turn = left_of(turn, 1);
    }
    *seat = left_of(turn, 1);
    return n_asked;
}

/* The three artists with most cards out gain 30/20/10, ties to the one further left, and pay all their gains so far. */
static void pay_round(struct game *g)
{
    for (int rank = 0; rank < 3; rank++) {
        int best = 0;
        for (int artist = 1; artist < ARTISTS; artist++)
            if (g->n_out[artist] > g->n_out[best]) best = artist;
        if (g->n_out[best] == 0) break;
        g->n_out[best] = 0;
        g->value[best] += RANK_VALUES[rank];
        for (int seat = 0; seat < SEATS; seat++) g->money[seat] += g->bought[seat][best] * g->value[best];
    }
}

/* Plays one rotation of a deal, writes the final money by seat, returns the number of questions asked. */
static int play_game(const struct deal *deal, int rotation, int32_t money[SEATS])
{
    struct game g = {0};
    int turn = deal->first_seat, n_asked = 0;
    const uint8_t *cards = deal->cards;
    for (int seat = 0; seat < SEATS; seat++) g.money[seat] = STARTING_MONEY;

    for (int round = 0; round < ROUNDS; round++) {
        deal_round(&g, cards, DEAL[round]);
        cards += DEAL[round] * SEATS;
        if (g.n_all_hands == 0) continue;
        for (int seat = 0; seat < SEATS; seat++) /* a player takes his dice with him around the table */
            g.stream[seat] = stream_start(deal->key, round, left_of(seat, rotation), PURPOSE_DECISION);
        memset(g.n_out, 0, sizeof g.n_out);
        memset(g.bought, 0, sizeof g.bought);
        n_asked += play_round(&g, &turn);
        pay_round(&g);
    }
    memcpy(money, g.money, sizeof g.money);
    return n_asked;
}

/* ---- the run ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t whole_number(const char *name, const char *text)
{
    char *end;
    errno = 0;
    uint64_t number = strtoull(text, &end, 10);
    if (errno || end == text || *end || text[0] == '-') {
        fprintf(stderr, "c_twin: %s must be a whole number from 0, got '%s'\n", name, text);
        exit(2);
    }
    return number;
}

int main(int argc, char **argv)
{
    if (argc != 3 && !(argc == 5 && strcmp(argv[3], "--print") == 0)) {
        fprintf(stderr, "usage: c_twin GAMES SEED [--print GAME]\n");
        return 2;
    }
    uint64_t n_games = whole_number("GAMES", argv[1]), seed = whole_number("SEED", argv[2]);
    uint64_t printed = argc == 5 ? whole_number("GAME", argv[4]) : 0;
    list_deck();

    struct deal deal;
    int32_t money[SEATS];
    uint64_t decisions = 0, checksum = 0;
    double begin = now();
    for (uint64_t game = 0; game < n_games; game++) {
        if (game % SEATS == 0) make_deal(&deal, seed, game / SEATS);
        decisions += (uint64_t)play_game(&deal, (int)(game % SEATS), money);
        for (int seat = 0; seat < SEATS; seat++)
            checksum += (uint64_t)money[seat] * (uint64_t)(seat + 1) * (game % 1000 + 1);
    }
    double seconds = now() - begin;
    printf("{\"games\": %" PRIu64 ", \"seconds\": %.6f, \"games_per_s\": %.0f, \"decisions\": %" PRIu64
           ", \"checksum\": %" PRIu64 "}\n",
           n_games, seconds, seconds > 0 ? (double)n_games / seconds : 0.0, decisions, checksum);

    if (argc == 5) {
        make_deal(&deal, seed, printed / SEATS);
        play_game(&deal, (int)(printed % SEATS), money);
        printf("{\"game\": %" PRIu64 ", \"money\": [%d, %d, %d, %d]}\n", printed,
               money[0], money[1], money[2], money[3]);
    }
    return 0;
}
