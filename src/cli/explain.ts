import pc from 'picocolors';
import type { Action } from '../planning/action.ts';
import type { IdentityTrace } from '../planning/identity/trace.ts';
import { explainCredit } from './explain-credit.ts';
import { explainFactura } from './explain-factura.ts';
import { indent, signed } from './explain-text.ts';

/**
 * Why an action is what it is, for a person: the buyer's identification and its source, the rule behind each tax
 * code, the payment codes, what a refund takes back, and every cent. Told from the trace alone, which holds no
 * buyers' data.
 */
export function explain(action: Action): string {
  const { identity, mapping, credit } = action.trace;
  const parts = [
    ...(identity ? ['Comprador', ...indent(buyer(identity))] : []),
    ...(action.buyerReason ? [`Para el comprador: ${action.buyerReason}`] : []),
    ...(mapping ? explainFactura(mapping) : credit ? explainCredit(credit) : held(action)),
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
  buyer: 'el que dio el comprador en la página de identificación',
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

/** What could not be mapped has figures only where they are the matter. */
function held({ kind, action, charged, document, difference }: Action): string[] {
  if (action !== 'hold' || document === null) return [];
  const moved = kind === 'factura' ? 'cobrado' : 'devuelto';
  const figures = `${moved} ${charged}; el documento sumaría ${document}; diferencia ${signed(difference ?? '0.00')}`;
  return ['Centavos', ...indent([figures])];
}
