import { HOUR, MINUTE, ORG_NOW, wholeSecond } from "./clock";
import { below, roll, salt } from "./hash";
import type { Org } from "./population";
import { nearestLiveCase } from "./relations";

const BLOCK = 32;

/** For each of 32 messages, the offset of its case within a block: from many short threads to a few long ones. */
const SPREADS = [
  [0, 0, 0, 1, 2, 2, 4, 5, 5, 6, 8, 9, 9, 9, 9, 11, 12, 13, 14, 14, 16, 17, 18, 18, 20, 21, 22, 23, 24, 24, 25, 26],
  [0, 0, 0, 0, 0, 0, 3, 3, 4, 4, 7, 7, 7, 7, 7, 7, 7, 7, 12, 13, 13, 15, 15, 15, 15, 19, 22, 22, 23, 23, 23, 27],
  [
    1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 27, 27, 27,
    27,
  ],
  [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 14, 14, 14, 14, 14, 14, 14, 14, 14, 20, 20, 20, 21, 21, 21, 22, 22, 22, 22, 23],
] as const;
const ONE_LONG_THREAD = Array.from({ length: BLOCK }, () => 9);

/** For each message: its number within its case, and the place of the previous message of that case. */
function ranksOf(offsets: readonly number[]): { rank: number; previous: number }[] {
  const last = new Map<number, { rank: number; place: number }>();
  return offsets.map((offset, place) => {
    const before = last.get(offset);
    const rank = before ? before.rank + 1 : 0;
    last.set(offset, { rank, place });
    return { rank, previous: before ? before.place : -1 };
  });
}

const LAYOUTS = [...SPREADS, ONE_LONG_THREAD].map((offsets) => ({ offsets, ranks: ranksOf(offsets) }));

export interface Place {
  readonly caseOrdinal: number;
  /** 0 for the first comment, or the first e-mail, of the case. */
  readonly rank: number;
  /** The ordinal of the previous message in the same case, or -1. */
  readonly previous: number;
}

/** The last place is cached: most fields of a message need it. */
let last: { readonly org: Org; readonly own: number; readonly ordinal: number; readonly place: Place } | null = null;

/** The case of a message and its place in the thread. `own` is COMMENT_THREAD or EMAIL_THREAD. */
export function threadPlace(org: Org, own: number, ordinal: number, total: number): Place {
  if (last?.ordinal !== ordinal || last.own !== own || last.org !== org)
    last = { org, own, ordinal, place: findPlace(org, own, ordinal, total) };
  return last.place;
}

function findPlace(org: Org, own: number, ordinal: number, total: number): Place {
  const block = Math.floor(ordinal / BLOCK);
  const place = ordinal % BLOCK;
  const choice = roll(org.seed, own, block);
  const layout = LAYOUTS[choice % 61 === 0 ? SPREADS.length : choice % SPREADS.length] ?? { offsets: [], ranks: [] };
  const first = Math.floor((block * BLOCK * org.total.Case) / Math.max(1, total));
  const { rank, previous } = layout.ranks[place] ?? { rank: 0, previous: -1 };
  return {
    caseOrdinal: nearestLiveCase(org, first + (layout.offsets[place] ?? 0)),
    rank,
    previous: previous < 0 ? -1 : block * BLOCK + previous,
  };
}

/**
 * When the message of that rank was sent: some hours after the previous one, so that comments and e-mails of a case
 * interleave. In one block of seven, ids ascend while times descend.
 */
export function sentAt(org: Org, own: number, ordinal: number, rank: number, opened: number): number {
  const against = roll(org.seed, own ^ 1, Math.floor(ordinal / BLOCK)) % 7 === 0;
  const turn = against ? Math.max(0, BLOCK - rank) : rank;
  const delay = turn * 9 * HOUR + below(turn === 0 ? 5 * MINUTE : 8 * HOUR, org.seed, own ^ 2, ordinal);
  return wholeSecond(Math.min(opened + delay, ORG_NOW));
}

export const COMMENT_THREAD = salt("thread.comment");
export const EMAIL_THREAD = salt("thread.email");
