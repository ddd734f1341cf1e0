/** One event on its way to a webhook, or delivered and still remembered. Plain data, kept over restarts. */
export interface Delivery {
  /** X-Service-Delivery, a UUID: the same for every attempt. */
  entrega: string;
  apiKey: string;
  evento: string;
  claveacceso: string | null;
  /** The body, serialised once: every attempt sends, and signs, the same bytes. */
  raw: string;
  /** Where it goes when it is not the account's webhook. */
  url?: string;
  /** Attempts made so far. */
  attempts: number;
  /** When the next attempt is due on the sandbox's clock (ISO); null when there will be none. */
  due: string | null;
  /** How faults spoil the first attempt. */
  spoiled?: { copies?: 2; signature?: 'V1' | 'V2' | 'stale' };
  /** Held back until the next event of the account has gone out. */
  behind?: boolean;
}

export interface DeliveryStore {
  byId(entrega: string): Delivery | undefined;
  /** Remembers a new or changed one. */
  keep(delivery: Delivery): void;
  forget(entrega: string): void;
  all(): Delivery[];
  /** The account's deliveries that are held back. */
  behind(apiKey: string): Delivery[];
  clear(): void;
}

/** Deliveries by their id, oldest first; `write` hears of every change, null when one is forgotten. */
export function openDeliveries(
  write: (entrega: string, delivery: Delivery | null) => void,
  kept: readonly Delivery[],
): DeliveryStore {
  const byId = new Map(kept.map((delivery) => [delivery.entrega, delivery]));
  const held = new Set(kept.filter(({ behind }) => behind));
  return {
    byId: (entrega) => byId.get(entrega),
    keep(delivery) {
      byId.set(delivery.entrega, delivery);
      if (delivery.behind) held.add(delivery);
      else held.delete(delivery);
      write(delivery.entrega, delivery);
    },
    forget(entrega) {
      if (byId.delete(entrega)) write(entrega, null);
    },
    all: () => [...byId.values()],
    behind: (apiKey) => [...held].filter((delivery) => delivery.apiKey === apiKey),
    clear() {
      byId.clear();
      held.clear();
    },
  };
}
