import pc from 'picocolors';
import { paymentForms } from '../../mappers/tables/payment-forms.ts';
import type { ItemTrace, MappingTrace } from '../../mappers/trace.ts';
import type { Action } from '../planning/action.ts';
import type { IdentityTrace } from '../planning/identity/trace.ts';

/**
 * Why an action is what it is, for a person: the buyer's identification and its source, the rule behind each tax
 * code, the payment codes, and every cent. Told from the trace alone, which holds no buyers' data.
 */
export function explain(action: Action): string {
  const { identity, mapping } = action.trace;
  const parts = [
    ...(identity ? ['Comprador', ...indent(buyer(identity))] : []),
    ...(action.buyerReason ? [`Para el comprador: ${action.buyerReason}`] : []),
    ...(mapping ? mapped(mapping) : held(action)),
  ];
  return indent(indent(parts)).join('\n');
}

const types = {
  ruc: 'RUC (04)',
  cedula: 'cédula (05)',
  pasaporte: 'pasaporte (06)',
  'consumidor-final': 'consumidor final (07)',
  exterior: 'identificación del exterior (08)',
};
const names = {
  person: 'el de la persona en el pedido',
  company: 'el de la empresa en el pedido',
  registry: 'el del registro consultado',
  law: 'el que manda la norma',
};

function buyer(identity: IdentityTrace): string[] {
  const { type, source, name, candidates, finalConsumer, warnings } = identity;
  const from = source === null ? 'porque el pedido no trae identificación' : `de «${source}»`;
  return [
    type === null
      ? pc.red('sin identificar')
      : `${types[type]}, ${from}${name ? `; nombre: ${names[name]}` : ''}`,
    ...candidates
      .filter(({ verdict }) => verdict !== 'chosen')
      .map((one) => pc.dim(`«${one.source}»: ${one.why}`)),
    ...(finalConsumer
      ? [
          `consumidor final ${finalConsumer.decision === 'allowed' ? 'permitido' : 'no permitido'}: total ${finalConsumer.total}, límite ${finalConsumer.limit}${finalConsumer.askedByBuyer ? '; lo pidió el comprador' : ''}`,
        ]
      : []),
    ...warnings.map((text) => pc.yellow(`Atención: ${text}`)),
  ];
}

function mapped({ items, taxes, payments, money, notes }: MappingTrace): string[] {
  const { charged, document, difference, lines, rounding, outside } = money;
  return [
    'Impuesto de cada línea',
    ...indent(items.flatMap(item)),
    'Impuestos del documento',
    ...indent(
      taxes.map(
        (one) =>
          `${one.tax} ${one.rate} % (código ${one.code}): base ${one.base}, valor ${one.valor}, ${signed(one.difference)} frente a base × tarifa (${one.why})`,
      ),
    ),
    'Formas de pago',
    ...indent(
      payments.map(
        ({ gateway, tipo, by, amount }) =>
          `${gateway || 'sin nombre'} → ${tipo} ${paymentForms[tipo]?.name ?? ''}: ${amount} (${by})`,
      ),
    ),
    'Centavos',
    ...indent([
      ...outside.map(({ name, amount }) => `fuera del documento por política: «${name}» ${amount}`),
      `cobrado ${charged}; suman las líneas de la tienda ${lines}; redondeo de la tienda ${signed(rounding)}`,
      `documento ${document}; diferencia con lo cobrado ${signed(difference)}`,
    ]),
    ...(notes.length > 0 ? ['Notas', ...indent(notes)] : []),
  ];
}

function item(one: ItemTrace): string[] {
  const { name, iva, tipo, ice, irbpnr, shop, document, notes } = one;
  const cents = `tienda ${shop.net} + ${shop.tax}, documento ${document.base}`;
  return [
    `${name}: IVA ${iva.rate} % (código ${iva.code}) por «${iva.by}»; ${tipo.value} por «${tipo.by}»; ${cents}`,
    ...indent([
      ...(ice ? [`ICE ${ice.codigo} por «${ice.by}»`] : []),
      ...(irbpnr ? [`IRBPNR por «${irbpnr.by}»`] : []),
      ...notes,
    ]),
  ];
}

/** What could not be mapped has figures only where they are the matter. */
function held({ action, charged, document, difference }: Action): string[] {
  if (action !== 'hold' || document === null) return [];
  const figures = `cobrado ${charged}; el documento sumaría ${document}; diferencia ${signed(difference ?? '0.00')}`;
  return ['Centavos', ...indent([figures])];
}

const signed = (amount: string): string => (/^-|^0+(\.0+)?$/.test(amount) ? amount : `+${amount}`);
const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
