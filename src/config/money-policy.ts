import type { IceMeaning, MoneyPolicy, SpecialItem, TaxRule } from '../domain/money-policy.ts';
import type { WrittenMoney } from './schema-money.ts';
import type { WrittenRule } from './schema-tax.ts';

/** The written policy as the mappers read it: one list of rules, every value in one form. */
export function toMoneyPolicy(written: WrittenMoney): MoneyPolicy {
  const { tips, duties, giftCardsSold, payments, tax } = written;
  const { additionalInfo, waybillFrom, plateFrom, lineDetails } = written;
  const { as, iva } = giftCardsSold;
  return {
    additionalInfo,
    waybillFrom,
    plateFrom,
    lineDetails,
    tax: { rules: toRules(tax) },
    tips: toSpecial(tips),
    duties: toSpecial(duties),
    giftCardsSold: as === 'line' ? { as, iva } : { as },
    payments: Object.fromEntries(
      Object.entries(payments).map(([gateway, rule]) => [
        gateway,
        typeof rule === 'string' ? { tipo: rule } : rule,
      ]),
    ),
  };
}

/** The written rules, then the short forms: rate ids, classes of untaxed lines, anything untaxed. */
function toRules(tax: WrittenMoney['tax']): TaxRule[] {
  const byRateId = Object.entries(tax.byRateId).map(([rateId, iva]) => ({
    name: `byRateId ${rateId}`,
    when: { rateId: [rateId] },
    means: { iva },
  }));
  const byClass = Object.entries(tax.byClass).map(([taxClass, iva]) => ({
    name: `byClass ${taxClass}`,
    when: { taxClass: [taxClass], untaxed: true },
    means: { iva },
  }));
  const { untaxed } = tax;
  return [
    ...tax.rules.map(toRule),
    ...byRateId,
    ...byClass,
    ...(untaxed === null ? [] : [{ name: 'untaxed', when: { untaxed: true }, means: { iva: untaxed } }]),
  ];
}

function toRule({ name, when, then }: WrittenRule, at: number): TaxRule {
  const { untaxed, abroad, rateId, rate, kind, ...texts } = when;
  const lists = Object.entries(texts).map(([key, value]) => [key, value === undefined ? value : list(value)]);
  const { ice, ...rest } = then;
  return {
    name: name ?? `regla ${at + 1}`,
    when: {
      ...Object.fromEntries(lists.filter(([, value]) => value !== undefined)),
      ...(untaxed === undefined ? {} : { untaxed }),
      ...(abroad === undefined ? {} : { abroad }),
      ...(rateId === undefined ? {} : { rateId: list(rateId).map(String) }),
      ...(rate === undefined ? {} : { rate: list(rate).map(String) }),
      ...(kind === undefined ? {} : { kind: list(kind) }),
    },
    means: { ...rest, ...(ice ? { ice: toIce(ice) } : {}) },
  };
}

function toIce({ tarifa, porUnidad, ...code }: NonNullable<WrittenRule['then']['ice']>): IceMeaning {
  return porUnidad === undefined ? { ...code, tarifa: String(tarifa) } : { ...code, porUnidad };
}

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

function toSpecial({ as, iva }: WrittenMoney['tips']): SpecialItem {
  return as === 'line' ? { as, iva } : { as };
}
