import { identify } from '../../domain/identification.ts';
import type { Buyer, IdCandidate } from '../../domain/order.ts';
import { mayBeTelephone } from '../../domain/stated-identification.ts';

/**
 * Whether what stands for an identification is a telephone: anything written as an international one, and any of the
 * order's, with or without country prefix, unless it is an identification that the buyer gave as a telephone too.
 */
export function isPhone(candidate: IdCandidate, buyer: Buyer): boolean {
  const digits = digitsOf(candidate.value);
  if (/^\s*\(?\+/.test(candidate.value) && digits.length >= 9) return true;
  if (/^(00)?593\d{8,9}$/.test(digits) && digits.length !== 10 && digits.length !== 13) return true;
  const national = nationalNumber(digits);
  if (national.length < 7) return false;
  const same = [buyer.phone, ...(buyer.phones ?? [])].map(digitsOf).filter((phone) => {
    const known = nationalNumber(phone);
    // Other countries' prefixes are of any length; nine digits in a row are no chance.
    return known === national || (national.length >= 9 && known.endsWith(national));
  });
  return same.length > 0 && !isGivenTwice(candidate, same, buyer.country);
}

/**
 * A valid cédula or RUC in a field that asks for it, and the same digits for a telephone, in Ecuador: believed where no
 * telephone has such digits. A mobile number passes for a cédula one time in ten, and would name a stranger; abroad
 * every number may be one.
 */
function isGivenTwice(
  { value, type, elsewhere }: IdCandidate,
  phones: readonly string[],
  country: string | null,
): boolean {
  if (elsewhere || type === 'pasaporte' || type === 'exterior') return false;
  if (country !== null && country !== 'EC') return false;
  const id = identify(value)?.value;
  return id !== undefined && !mayBeTelephone(id) && phones.every((phone) => phone === id);
}

const digitsOf = (text: string | null): string => (text ?? '').replace(/\D/g, '');

/** "+593 98 765 4321", "00593987654321" and "0987654321" are one. */
function nationalNumber(digits: string): string {
  return digits.replace(/^0{0,2}593(?=0?\d{8,9}$)/, '').replace(/^0+/, '');
}
