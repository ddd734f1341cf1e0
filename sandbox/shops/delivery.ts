/** How the receiver answered one delivery of a shop stand-in. */
export interface DeliveryAnswer {
  status: number;
  body: string;
}
