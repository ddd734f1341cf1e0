/** A fictional cédula with a valid check digit (modulo 10) from any whole number; none of the sandbox's magic ones. */
export function cedulaOf(number: number): string {
  const nine = `17${String(number % 10_000_000).padStart(7, '0')}`;
  let total = 0;
  for (let at = 0; at < 9; at += 1) {
    const product = Number(nine[at]) * (at % 2 === 0 ? 2 : 1);
    total += product > 9 ? product - 9 : product;
  }
  return `${nine}${(10 - (total % 10)) % 10}`;
}

/** The RUC of the person with that cédula. */
export const rucOf = (number: number): string => `${cedulaOf(number)}001`;
