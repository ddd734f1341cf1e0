import type { Chance } from './chance.ts';

/** Options of a run; they determine it completely. */
export interface Plan {
  seed: number;
  shops: number;
  keys: number;
  /** Orders of a whole day; a part of a day has its part of them. */
  orders: number;
  /** The day begins at midnight in Ecuador; minutes of it. */
  from: number;
  minutes: number;
  /** Worker processes, and cores of the PostgreSQL server. */
  workers: number;
  cores: number;
  /** One merchant has this many documents ready at this minute of the day. */
  backlog: { documents: number; at: number } | null;
  /** The tax service does not answer. */
  outage: { from: number; minutes: number } | null;
  /** The share of emissions whose answer is lost on its way back. */
  lostAnswers: number;
  /** Minutes in which orders are measured, and the time left for the rest to finish. */
  rest: number;
}

/** Shares of the hours of a Black Friday: a start at midnight, a working day, and the evening. */
const hours = [
  ...[5.6, 2.6, 1.2, 0.7, 0.5, 0.6, 1.0, 1.9, 3.2, 4.4, 5.2, 5.7],
  ...[6.3, 6.1, 5.3, 4.9, 4.8, 5.1, 5.9, 7.1, 8.5, 8.1, 6.6, 4.7],
];
/** Minutes in which offers begin, with the factor on their hour's rate. */
const launches = [
  { from: 0, to: 10, times: 3 },
  { from: 20 * 60, to: 20 * 60 + 10, times: 3 },
];

/** The rate of each minute, in orders; they add up to the orders of the day. */
export function curve(orders: number): number[] {
  const raw = Array.from({ length: 1440 }, (_, minute) => {
    const at = minute / 60 - 0.5;
    const hour = Math.floor(at);
    const share = (of: number) => hours[(of + 24) % 24] ?? 0;
    const smooth = share(hour) + (share(hour + 1) - share(hour)) * (at - hour);
    const launch = launches.find(({ from, to }) => minute >= from && minute < to);
    return smooth * (launch?.times ?? 1);
  });
  const whole = raw.reduce((a, b) => a + b, 0);
  return raw.map((share) => (share * orders) / whole);
}

export interface Shop {
  id: string;
  account: string;
  /** Hash of the key, and its number. */
  key: string;
  keyNumber: number;
}

/**
 * The shops. The first `keys` have a key each and the others share one with some of them; the merchant with the backlog
 * is the first, and shares its key with four others.
 */
export function openShops({ shops, keys }: Plan, chance: Chance): { shops: Shop[]; draw(): number } {
  const weights: number[] = [];
  const all = Array.from({ length: shops }, (_, n) => {
    const drawn = n < keys ? n : 1 + Math.floor(chance.next() * (keys - 1));
    const keyNumber = n >= keys && n < keys + 4 ? 0 : Math.min(drawn, keys - 1);
    // A few shops sell most; the one with the backlog and those with its key sell an average amount.
    weights.push(keyNumber === 0 ? 1 : chance.time(1, 1.5));
    return { id: `tienda${n}`, account: `cuenta${keyNumber}`, key: `clave${keyNumber}`, keyNumber };
  });
  const upTo: number[] = [];
  let sum = 0;
  for (const weight of weights) {
    sum += weight;
    upTo.push(sum);
  }
  return {
    shops: all,
    draw() {
      const drawn = chance.next() * sum;
      let low = 0;
      let high = upTo.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((upTo[middle] ?? 0) > drawn) high = middle;
        else low = middle + 1;
      }
      return low;
    },
  };
}
