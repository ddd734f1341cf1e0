import { accept, inStatus, undone } from './holds-money.ts';
import { byWhy, type Message, many, quotedAll, type Text, type Texts } from './message.ts';

const apart = `Solo si su total no es parte del de aquellos ni lo incluye, ${accept}.`;
const decide =
  'Si son la misma venta, facturarlos todos la declararía dos veces: decida en policy.subOrders si se factura el pedido original (parent) o los que salieron de él (children).';

const beside = <M extends Text>(means: M, todo = '') =>
  [means, todo === '' ? apart : `${todo} ${apart}`] as const;

/** Written as "22/11/2026 a las 09:39:04"; null means unknown. */
export type PaidTimes = readonly { order: string; at: string | null }[];

const timesOf = (times: PaidTimes): string =>
  times.map(({ order, at }) => `${order}: ${at ?? 'sin fecha de pago'}`).join('; ');

export interface Invoiced {
  invoiced: string;
  number: string | null;
}

const hasFactura = ({ invoiced, number }: Invoiced, policy: 'parent' | 'children'): string =>
  `${invoiced} ya tiene su factura${number === null ? '' : ` ${number}`}, y otra declararía la venta dos veces: ponga policy.subOrders en ${policy}`;

const splitInto = (children: readonly string[]): string =>
  children.length === 0
    ? 'El pedido se dividió en otros, que venden lo mismo.'
    : `Del pedido salieron otros que venden lo mismo (${children.join(', ')}).`;

export const laterHolds = {
  'sub-orders': byWhy(
    [
      'Otro pedido, del que sale o que salió de él, vende lo mismo.',
      'Decida en policy.subOrders si se factura el pedido original (parent) o los que salieron de él (children). Solo si su total no es parte del otro ni lo incluye, «accept DOCUMENTO».',
    ],
    {
      early: beside(
        ({ others }: { others: readonly string[] }) =>
          `El pedido vende lo mismo que ${others.join(', ')}, que ${many(others, 'se pagó', 'se pagaron')} antes de la fecha desde la que se factura (invoiceFrom) y no se ${many(others, 'factura', 'facturan')} aquí: si aquello ya tiene su factura, este no necesita nada más.`,
      ),
      'parent-unpaid': beside(
        ({ parent }: { parent: string }) =>
          `El pedido sale del pedido ${parent}, que vende lo mismo y aún no está pagado: cuando lo esté se factura aquel y este no lleva factura; si aquel se cancela, se factura este.`,
      ),
      'parent-apart': beside(
        ({ parent, times }: { parent: string; times: PaidTimes }) =>
          `El pedido sale del pedido ${parent} y vende lo mismo, pero no se pagaron a la vez (${timesOf(times)}): si es la misma venta, se factura con aquel y este no necesita nada más.`,
      ),
      more: beside(
        ({
          total,
          parent,
          parentTotal,
          others,
          canChange,
        }: Texts<'total' | 'parent' | 'parentTotal'> & {
          others: readonly string[] /** Whether another policy is still possible. */;
          canChange: boolean;
        }) =>
          `El pedido, de ${total}, sale del pedido ${parent}, de ${parentTotal}, y vende,${others.length > 0 ? ` junto con ${others.join(', ')},` : ''} además de lo de aquel, otras cosas, más unidades o a otro precio: no se sabe qué se factura con él. Facture a mano lo que falte${canChange ? ', o ponga policy.subOrders en children' : ''}.`,
      ),
      'no-children': beside(
        'El pedido se dividió en otros, de los que no se conoce ninguno sin cancelar, y por policy.subOrders se facturan ellos. Si falta alguno por leer, saldrá solo; si no, ponga policy.subOrders en parent.',
      ),
      'other-sum': beside(
        ({
          total,
          children,
          sum,
          less,
          difference,
          canChange,
        }: Texts<'total' | 'sum' | 'difference'> & {
          children: readonly string[];
          less: boolean;
          canChange: boolean;
        }) => {
          const asParent = 'ponga policy.subOrders en parent';
          const then = less
            ? `Si falta alguno por leer, saldrá solo; si no, ${canChange ? asParent : `emita a mano una factura por los ${difference} que faltan, menos lo que se devolvió`}.`
            : `Si se cobró solo lo primero, ${canChange ? asParent : `emita a mano una nota de crédito por los ${difference} que sus facturas dicen de más`}.`;
          return `El pedido cobró ${total} y los que salieron de él (${children.join(', ')}) suman ${sum}. ${then}`;
        },
      ),
      'children-unpaid': beside(
        ({ open, canChange }: { open: readonly string[]; canChange: boolean }) =>
          `Del pedido salieron otros que venden lo mismo y aún no están todos pagados (${open.join(', ')}): cuando lo estén se facturan ellos y este no lleva factura. Si se cobraron con este, páselos en la tienda a un estado de pagado${canChange ? ', o ponga policy.subOrders en parent' : ''}.`,
      ),
      'children-apart': beside(
        ({ children, times }: { children: readonly string[]; times: PaidTimes }) =>
          `Del pedido salieron otros que venden lo mismo (${children.join(', ')}), pero no se pagaron a la vez (${timesOf(times)}): si son la misma venta, se facturan aquellos y este no necesita nada más.`,
      ),
      unclear: beside(
        ({ total, others }: { total: string; others: readonly { order: string; total: string }[] }) =>
          `El pedido, de ${total}, vende lo mismo que ${others.map((one) => `${one.order}, de ${one.total}`).join(', y ')}, y la tienda no dice si un total incluye el otro o se cobraron los dos. Si lo incluye, este no necesita nada más.`,
      ),
      parent: beside(
        ({ parent }: { parent: string }) => `El pedido sale del pedido ${parent} y vende lo mismo.`,
        decide,
      ),
      'parent-invoiced': beside(
        (one: Invoiced) =>
          `El pedido sale del pedido ${one.invoiced} y vende lo mismo. ${hasFactura(one, 'parent')}, con lo que esta no lleva ninguna.`,
      ),
      children: beside(({ children }: { children: readonly string[] }) => splitInto(children), decide),
      'child-invoiced': beside(
        ({
          children,
          others,
          ...one
        }: Invoiced & {
          children: readonly string[];
          others: boolean;
        }) =>
          `${splitInto(children)} ${hasFactura(one, 'children')}, con lo que ${others ? 'se facturan también los demás' : 'esta no lleva ninguna'}.`,
      ),
      lost: beside(
        ({ other, number }: Texts<'other' | 'number'>) =>
          `El pedido vende lo que el pedido ${other}, dividido del mismo, ya no tiene y su factura ${number} incluye: otra lo declararía dos veces.`,
      ),
    },
  ),
  'refund-of-split-order': byWhy(
    [
      'A mano: el reembolso es de líneas que se facturaron con otro pedido.',
      'Si no está también en el pedido de aquella factura, registre allí el reembolso, sin devolver otra vez el dinero.',
    ],
    {
      other: [
        ({ refund, money, where }: Texts<'refund' | 'where'> & { money: string /** A sentence. */ }) =>
          `El reembolso ${refund} devolvió ${money}. ${where}`,
        'Si es de lo que esa factura vende y no está también allí, registre allí el reembolso, sin devolver otra vez el dinero, y sale su nota de crédito; si no, no hay nada que hacer.',
      ],
    },
  ),
  'unpaid-after-invoice': byWhy(
    [
      'A mano: el pedido dejó de figurar pagado después de su factura.',
      'Si el dinero se cobró, devuelva el pedido a un estado de pagado o agregue el suyo a paidStatuses; si no, registre su reembolso en la tienda.',
    ],
    {
      unpaid: [
        ({
          number,
          status,
          missing,
        }: Texts<'number' | 'status'> & {
          /** null means what is missing of an order that was paid in part. */
          missing: string | null;
        }) =>
          `El pedido dejó de figurar ${missing === null ? 'pagado por completo' : 'pagado'} después de su factura ${number}, que sigue en pie${inStatus(status)}, y la tienda no tiene el reembolso de ${missing ?? 'lo que falta'}.`,
        ({
          accepted,
          consumer,
          annulBy,
        }: {
          accepted: string | null;
          consumer: boolean;
          annulBy: string | null;
        }) =>
          `Si el dinero se cobró, ${accepted === null ? 'devuelva el pedido a un estado de pagado' : `agregue «${accepted}» a paidStatuses en la conexión de la tienda, o cambie el estado del pedido`}; si ${undone(null, consumer)}.${mayAnnul(annulBy)}`,
      ],
    },
  ),
  'edited-after-invoice': byWhy(
    [
      'A mano: el pedido se editó después de su factura: suma menos o más que ella, o cambió algo por otra cosa con otra tarifa de IVA.',
      'Si suma menos, devuelva el pedido a lo que se cobró y registre lo devuelto como reembolso; si suma más o cambió algo, emita a mano los documentos que dice su motivo.',
    ],
    {
      reduced: [
        ({ number, total, less }: Texts<'number' | 'total' | 'less'>) =>
          `El pedido se editó después de la factura ${number} y suma ahora ${total}: la factura dice ${less} más.`,
        'Devuelva el pedido en la tienda a lo que se cobró; si ese dinero se devolvió, registre después su reembolso, del que sale la nota de crédito.',
      ],
      items: [
        ({ number, items, credit }: Texts<'number' | 'credit'> & { items: readonly string[] }) =>
          `El pedido se editó después de la factura ${number}: ${quotedAll(items)} ${many(items, 'se pagó', 'se pagaron')} con ${credit} de lo que se quitó, y no todo lleva la misma tarifa de IVA.`,
        /** `refunds`: ids of those that have their own notas de crédito. */
        ({ credit, invoice, refunds }: Texts<'credit' | 'invoice'> & { refunds: readonly string[] }) => {
          const own =
            refunds.length === 0
              ? ''
              : ` Lo que devolvió ${refunds.length === 1 ? `el reembolso ${refunds[0]}` : `cada reembolso (${refunds.join(', ')})`} va aparte, en su propia nota de crédito: no lo incluya en esta.`;
          return `Emita a mano una nota de crédito por esos ${credit} de lo que se quitó y una factura por los ${invoice} de lo que se agregó.${own}`;
        },
      ],
      rate: [
        ({
          number,
          items,
          credit,
          invoice,
        }: Texts<'number' | 'credit' | 'invoice'> & { items: readonly string[] }) =>
          `En el pedido se cambió después de la factura ${number} la tarifa de IVA de ${quotedAll(items)}: ella dice ${credit} y el pedido ${invoice}.`,
        ({ items, credit, invoice }: Texts<'credit' | 'invoice'> & { items: readonly string[] }) =>
          `Si la tarifa de ahora es la correcta, emita a mano una nota de crédito por esos ${credit} y una factura por los ${invoice}; si no, devuelva a ${quotedAll(items)} en la tienda el impuesto que tenía.`,
      ],
      paid: [
        ({ number, more }: Texts<'number' | 'more'>) =>
          `El pedido cobró ${more} más después de la factura ${number}.`,
        'Emita a mano una factura complementaria por lo que se agregó.',
      ],
      unpaid: [
        ({ number, more, status }: Texts<'number' | 'more' | 'status'>) =>
          `El pedido se editó después de la factura ${number} y suma ${more} más, que la tienda no registra como cobrados (estado «${status}»).`,
        'Cuando se cobren, emita a mano una factura complementaria por lo que se agregó; si no se van a cobrar, quite del pedido lo que se agregó.',
      ],
    },
  ),
} satisfies Readonly<Record<string, Message>>;

/** It can be annulled at SRI's portal until `day`; empty where it is too late. */
export function mayAnnul(day: string | null, unless = ''): string {
  if (day === null) return '';
  return ` Si la venta quedó sin efecto${unless}, también puede anular la factura en línea en el portal del SRI hasta el ${inWords(day)} (día 7 del mes siguiente).`;
}

/** Written as "7 de diciembre de 2026". */
export function inWords(day: string): string {
  const format = new Intl.DateTimeFormat('es', { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${day}T00:00:00Z`));
}
