import { ivaRow } from '../../../mappers/tables/iva.ts';
import type { CatalogFinding, CatalogReport } from './lint-catalog.ts';
import type { RuleHint } from './rule-hint.ts';
import { count, many } from './words.ts';

const mostProducts = 10;

/** What was found in a catalogue, for the terminal; rules as they are pasted into the config. */
export function catalogText({ store, products, assumed, findings }: CatalogReport): string {
  const held = findings.reduce((sum, one) => sum + one.products.length, 0);
  const looked = `Tienda «${store}»: ${products === 1 ? 'se revisó 1 producto' : `se revisaron ${count(products)} productos`}`;
  const verdict =
    held === 0
      ? 'todos tienen un impuesto que se puede facturar.'
      : `${held === 1 ? 'la venta de 1 se retendría' : `la venta de ${count(held)} se retendría`}.`;
  const guessed =
    assumed === 0
      ? []
      : [
          `La plataforma no dice qué tarifa cobra, solo si hay impuesto: en ${many(assumed, 'producto gravado', 'productos gravados')} se supuso el IVA general.`,
        ];
  return `${[`${looked}; ${verdict}`, ...guessed, ...findings.map((one) => findingText(one, store))].join('\n')}\n`;
}

function findingText({ title, rule, reason, products }: CatalogFinding, store: string): string {
  const shown = products
    .slice(0, mostProducts)
    .map(({ name, sku }) => (sku === null ? name : `${name} (${sku})`));
  const more = products.length > mostProducts ? ` y ${count(products.length - mostProducts)} más` : '';
  const advice =
    rule === null ? [`  ${reason}`] : [`  ${instruction(rule, store)}:`, `    - ${ruleText(rule)}`];
  return [
    '',
    `${title}: ${many(products.length, 'producto', 'productos')}`,
    `  ${shown.join(', ')}${more}.`,
    ...advice,
  ].join('\n');
}

/** A rate that is for some goods alone is theirs; which code untaxed goods have only an accountant knows. */
function instruction({ then }: RuleHint, store: string): string {
  const { only } = ivaRow(then.iva);
  const place = `stores.${store}.policy.tax.rules`;
  return only === null
    ? `Agregue esta regla en ${place} y ponga en iva lo que diga su contador (0 = IVA 0 %, 6 = no objeto, 7 = exento)`
    : `Si son ${only}, agregue esta regla en ${place}; si no, corrija el impuesto en la tienda`;
}

/** One line of YAML; JSON's texts and lists are YAML's. */
export function ruleText({ when, then }: RuleHint): string {
  const conditions = Object.entries(when).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `{ when: { ${conditions.join(', ')} }, then: { iva: ${then.iva} } }`;
}
