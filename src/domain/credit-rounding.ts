import { type Amount, decimal } from './money.ts';

/** USD. What rounding may leave between the money of a refund and its nota de crédito: a cent, seldom two (ADR 22). */
const most = '0.02';

/** Whether a nota de crédito differs from the money that went back by rounding alone. */
export function isCreditRounding(money: Amount, total: Amount): boolean {
  const off = decimal(total).minus(money).abs();
  return !off.isZero() && off.lte(most);
}

/**
 * Why a nota de crédito is a cent off the money that went back and what becomes of the cent, for buyer and merchant;
 * null where it is the money, or off by more than rounding.
 */
export function creditRounding(money: Amount, total: Amount | null): string | null {
  if (total === null || !isCreditRounding(money, total)) return null;
  const off = decimal(total).minus(money);
  const cents = off.abs().times(100).toFixed(0);
  const said = cents === '1' ? 'un centavo' : `${cents} centavos`;
  return off.isNegative()
    ? `Se devolvieron ${money} y la nota de crédito es por ${total}, ${said} menos: ninguna base en centavos da esa suma con su IVA. Lo que falta va en la próxima nota de crédito de la factura, si la hay.`
    : `Se devolvieron ${money} y la nota de crédito es por ${total}, ${said} más: compensa el redondeo de otra nota de crédito de la factura.`;
}
