import { countryCode, countryName } from '../src/domain/country.ts';
import type { Order, Tax } from '../src/domain/order.ts';
import { fold } from './glob.ts';

/** Where a sale takes place for IVA, and what says so. */
export interface Destination {
  /** ISO 3166-1 alpha-2, or what the shop wrote instead. */
  country: string;
  /** Whether it is outside Ecuador. */
  abroad: boolean;
  /** As a merchant reads it: "envío a Canadá". */
  why: string;
}

/**
 * Where an order goes. Sent goods: to the ship-to address, else the buyer's. Nothing to send: to the buyer's. Picked up
 * or sold over the counter: nowhere, whatever the buyer's address, for an issuer's establishment is in Ecuador. An
 * order without a country is a sale at home too: shops that sell only there need not ask for one.
 */
export function destinationOf({ delivery, buyer }: Pick<Order, 'delivery' | 'buyer'>): Destination {
  if (delivery?.by === 'in-shop') return place('EC', 'se entrega en el local');
  const shipTo = delivery?.by === 'none' ? null : countryCode(delivery?.country);
  if (shipTo) return place(shipTo, `envío a ${countryName(shipTo)}`);
  const billTo = countryCode(buyer.country) ?? countryCode(delivery?.country);
  if (billTo) return place(billTo, `comprador de ${countryName(billTo)}, sin dirección de envío`);
  return place('EC', 'el pedido no dice ningún país');
}

const place = (country: string, why: string): Destination => ({ country, abroad: country !== 'EC', why });

/** Whether a tax is another country's: the shop's rate is of one, or its name is. */
export function isForeign({ title, country }: Tax): boolean {
  if (country !== undefined) return country !== 'EC';
  return foreignTaxes.test(title) || namesCountry(title);
}

/** Names no tax of Ecuador has; "IVA", "VAT" and "Tax" may be anybody's, and the destination says whose. */
const foreignTaxes =
  /(?<!\p{L})(gst|hst|pst|qst|rst|tps|tvq|tvh|tva|mwst|ust|mehrwertsteuer|umsatzsteuer|btw|moms|mva|alv|kdv|ppn|jct|gct|igv|icms|itbms|itbis|ivu|pdv|sales tax|(state|county|city|local|consumption) tax)(?!\p{L})|消費税|ндс|φπα/iu;

/** "IVA España", "Colombia VAT (19%)". */
const namesCountry = (title: string): boolean => {
  const words = fold(title).split(/[^\p{L}]+/u);
  return words.some((_, at) =>
    [1, 2, 3].some((many) => countries().has(words.slice(at, at + many).join(' '))),
  );
};

let known: ReadonlySet<string> | undefined;
function countries(): ReadonlySet<string> {
  known ??= new Set(['uk', 'usa', ...['es', 'en'].flatMap(namesIn)]);
  return known;
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters.flatMap((first) => letters.map((second) => first + second));

/** Every country's name but Ecuador's. */
function namesIn(language: string): string[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  return codes
    .flatMap((code) => (code === 'EC' ? [] : [names.of(code)]))
    .flatMap((name) => (name ? [fold(name)] : []));
}
