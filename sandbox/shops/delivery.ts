/** How the receiver answered one delivery of a shop emulator. */
export interface DeliveryAnswer {
  status: number;
  body: string;
}
