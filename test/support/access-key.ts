/** Whether the 49th digit is the modulo-11 check digit of the other 48 (ficha técnica SRI, tabla 1). */
export function checkDigitVerifies(accessKey: string): boolean {
  if (!/^\d{49}$/.test(accessKey)) return false;
  let total = 0;
  for (let at = 0; at < 48; at += 1) total += Number(accessKey[47 - at]) * ((at % 6) + 2);
  const digit = 11 - (total % 11);
  return (digit === 11 ? 0 : digit === 10 ? 1 : digit) === Number(accessKey[48]);
}
