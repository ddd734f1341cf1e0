/** What an access key says about its document, in the service's words (ficha técnica SRI, tabla 1; ficha técnica, tabla 1). */
export interface AccessKeyFacts {
  tipo_comprobante: string;
  ruc_emisor: string;
  ambiente: number;
  /** "001-001-000000001" */
  numero: string;
}

/** Reads the parts of 49 digits; the caller has made sure that they are 49. */
export function readAccessKey(claveacceso: string): AccessKeyFacts {
  const part = (from: number, length: number) => claveacceso.slice(from, from + length);
  return {
    tipo_comprobante: part(8, 2),
    ruc_emisor: part(10, 13),
    ambiente: Number(part(23, 1)),
    numero: `${part(24, 3)}-${part(27, 3)}-${part(30, 9)}`,
  };
}

/** The day its document was issued, YYYY-MM-DD: the first eight of 49 digits are ddmmaaaa (same table). */
export const issueDayOf = (claveacceso: string): string =>
  `${claveacceso.slice(4, 8)}-${claveacceso.slice(2, 4)}-${claveacceso.slice(0, 2)}`;

/** Whether the last of 49 digits verifies the others: modulo 11, weights 2 to 7 from the right (ficha técnica SRI, §5.2). */
export function hasCheckDigit(claveacceso: string): boolean {
  const digits = [...claveacceso.slice(0, 48)].reverse();
  const sum = digits.reduce((total, digit, at) => total + Number(digit) * (2 + (at % 6)), 0);
  const rest = 11 - (sum % 11);
  return Number(claveacceso[48]) === (rest === 11 ? 0 : rest === 10 ? 1 : rest);
}
