// The provinces 01 to 24, and 30 for people registered abroad.
function hasProvince(number: string): boolean {
  const province = Number(number.slice(0, 2));
  return (province >= 1 && province <= 24) || province === 30;
}

/**
 * Thirteen digits with a province and an establishment. Check digits are not enforced: newer RUCs follow no
 * algorithm (ficha técnica SRI, tabla 6).
 */
export function isRuc(number: string): boolean {
  return /^\d{13}$/.test(number) && hasProvince(number) && number.slice(10) !== '000';
}

/** Ten digits with a province and the check digit of the civil registry (weights 2, 1, 2, …, modulo 10). */
export function isCedula(number: string): boolean {
  if (!/^\d{10}$/.test(number) || !hasProvince(number)) return false;
  let sum = 0;
  for (let i = 0; i < 9; i++) {
    const product = Number(number[i]) * (i % 2 === 0 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  return (10 - (sum % 10)) % 10 === Number(number[9]);
}
