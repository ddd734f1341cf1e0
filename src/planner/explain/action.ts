import type { Action } from '../action.ts';
import type { IdentityTrace } from '../identity/trace.ts';
import { explainCredit } from './credit.ts';
import { explainFactura } from './factura.ts';
import { type Explained, signed, type ToldLine } from './text.ts';

/**
 * Why an action is what it is, for a person: the buyer's identification and its source, the rule behind each tax
 * code, the payment codes, what a refund takes back, and every cent. Told from the trace alone, which holds no
 * buyers' data. In Spanish.
 */
export function explainAction(action: Action): Explained[] {
  const { identity, mapping, credit } = action.trace;
  return [
    ...(identity ? [{ title: 'Comprador', lines: buyer(identity) }] : []),
    ...(action.buyerReason ? [{ title: `Para el comprador: ${action.buyerReason}`, lines: [] }] : []),
    ...(mapping ? explainFactura(mapping) : credit ? explainCredit(credit) : held(action)),
  ];
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
  buyer: 'el que dio el comprador en la página de identificación',
  registry: 'el del registro consultado',
  law: 'el que manda la norma',
};

function buyer(identity: IdentityTrace): (string | ToldLine)[] {
  const { type, source, name, candidates, finalConsumer, warnings } = identity;
  const from = source === null ? 'porque el pedido no trae identificación' : `de «${source}»`;
  return [
    type === null
      ? { text: 'sin identificar', tone: 'missing' as const }
      : `${types[type]}, ${from}${name ? `; nombre: ${names[name]}` : ''}`,
    ...candidates
      .filter(({ verdict }) => verdict !== 'chosen')
      .map((one) => ({ text: `«${one.source}»: ${one.why}`, tone: 'passed-over' as const })),
    ...(finalConsumer
      ? [
          `consumidor final ${finalConsumer.decision === 'allowed' ? 'permitido' : 'no permitido'}: total ${finalConsumer.total}, límite ${finalConsumer.limit}${finalConsumer.askedByBuyer ? '; lo pidió el comprador' : ''}`,
        ]
      : []),
    ...warnings.map((text) => ({ text: `Atención: ${text}`, tone: 'warning' as const })),
  ];
}

/** What could not be mapped has figures only where they are the matter. */
function held({ kind, action, charged, document, difference }: Action): Explained[] {
  if (action !== 'hold' || document === null) return [];
  const moved = kind === 'factura' ? 'cobrado' : 'devuelto';
  const figures = `${moved} ${charged}; el documento sumaría ${document}; diferencia ${signed(difference ?? '0.00')}`;
  return [{ title: 'Centavos', lines: [figures] }];
}
