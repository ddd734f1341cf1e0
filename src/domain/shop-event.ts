/** A delivery about the shop itself or one of its buyers, as the door stored it. */
export interface ToldEvent {
  topic: string;
  /** As the delivery names it; believed only where the signed body or the shop's own API agrees. */
  shop: string;
  body: Uint8Array;
}

/** How a shop names one of its buyers; texts as the shop wrote them. */
export interface BuyerMark {
  /** Ids of orders the shop names itself. */
  orders: readonly string[];
  email: string | null;
  phone: string | null;
}

/** What a buyer asks through the shop: to know what is held of him, or that it be forgotten. */
export interface BuyerRequest {
  wants: 'data' | 'forgetting';
  buyer: BuyerMark;
}

/** What an event of a shop asks for. */
export type ShopEvent =
  /** The shop no longer lets us in; what it gave us is gone. */
  | { kind: 'access-ended' }
  /** The permissions changed; the ones that are now missing. */
  | { kind: 'access-changed'; missing: readonly string[] }
  /** A buyer wants to know what is held of him. */
  | { kind: 'buyer-asked'; buyer: BuyerMark }
  | { kind: 'forget-buyer'; buyer: BuyerMark }
  | { kind: 'forget-shop' }
  /** Not true, or nothing to do; in English, for the log. */
  | { kind: 'nothing'; reason: string };
