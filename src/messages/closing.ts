import { alerts } from './alerts.ts';
import { documents } from './documents.ts';
import { byWhy, forms, type Group, type Kind, type Message, named, say } from './message.ts';

interface Named {
  kind: Kind;
  number: string;
  order: string;
}

const nameOf = ({ kind, number }: Pick<Named, 'kind' | 'number'>): string =>
  `${kind === 'factura' ? 'La factura' : 'La nota de crédito'} ${number}`;

/** What two sources state of one field, e.g. "total" or "base 2/4"; null where one states nothing. */
export interface ApartField {
  field: string;
  ours: string | null;
  theirs: string | null;
  in: 'service' | 'attempt';
}

const fieldWords: Readonly<Record<string, string>> = {
  number: 'número',
  issueDate: 'fecha',
  ruc: 'RUC',
  base: 'base del impuesto',
  valor: 'valor del impuesto',
};

function apartWords({ field, ours, theirs, in: source }: ApartField): string {
  const [first = '', ...tax] = field.split(' ');
  const what = [fieldWords[first] ?? first, ...tax].join(' ');
  const [stated, other] = [ours ?? 'nada', theirs ?? 'nada'];
  return source === 'attempt'
    ? `${what}: ${stated} en el registro y ${other} en lo que se envió`
    : `${what}: ${stated} en el registro, ${other} en el servicio`;
}

type Apart = Named & { fields: readonly ApartField[] };
const apartText = (fields: readonly ApartField[]): string => `(${fields.map(apartWords).join('; ')}).`;

const stateThere = {
  nothing: 'el servicio no la tiene',
  error: 'en el servicio está con error',
  processing: 'en el servicio está en proceso',
};

type Repeated = Named & { first: string };

const repeated = ({ order, first, ...document }: Repeated, where = ''): string =>
  `${nameOf(document)} del pedido ${order} es un duplicado: ya estaba autorizada la ${first}${where}. Anule una de las dos en el portal del SRI.`;

interface Unknown {
  number: string;
  total: string | null;
}

const worth = ({ number, total }: Unknown): string => (total === null ? number : `${number} por ${total}`);

interface Gap {
  of: Kind;
  ruc: string;
  first: string;
  last: string;
}

const plural: Readonly<Record<Kind, string>> = { factura: 'facturas', 'nota-credito': 'notas de crédito' };

const gapText = ({ of, ruc }: Gap, missing: string, lost: string): string =>
  `En la serie de ${plural[of]} del RUC ${ruc} ${missing}. Si los emitió otro sistema, configure otro punto de emisión para uno de los dos. Si el registro se restauró de una copia, ${lost}: deje constancia. Si no, recupere el registro de un respaldo.`;

const askAgain = (day: string): string =>
  `pídala con «facturapuente sync --since ${day}», y si no aparece recupere el registro de un respaldo.`;

const general = ([means, fix]: Message): [string, string] => [say(means), say(fix)];

/** The sentence of a case says what to do as well: it stands alone in the close. */
export const closing = {
  title: 'Diferencias del cierre del día',
  seen: 'En `close` y en la página del cierre, para quien lleva las cuentas. La frase nombra pedido y número.',
  entries: {
    'sale-without-document': byWhy(
      [
        'Un pedido pagado no tiene factura, o un reembolso no tiene nota de crédito, ni motivo para no tenerla.',
        'Vea el pedido en el panel o con «facturapuente explain»; si el registro no lo conoce, pídalo con «facturapuente sync».',
      ],
      {
        sale: (p: { order: string; amount: string; day: string }) =>
          `El pedido ${p.order} cobró ${p.amount} y el registro no tiene su factura: ${askAgain(p.day)}`,
        refund: (p: { refund: string; order: string; amount: string; day: string }) =>
          `El reembolso ${p.refund} del pedido ${p.order} devolvió ${p.amount} y el registro no tiene su nota de crédito: ${askAgain(p.day)}`,
      },
    ),
    'document-without-sale': byWhy(
      [
        'Una factura o nota de crédito es de un pedido o reembolso que la tienda ya no tiene, o que está cancelado.',
        'Recupere el pedido o registre su reembolso; si la venta o la devolución no existió, decida con su contador qué documento la corrige.',
      ],
      {
        order: (p: Named) =>
          `${nameOf(p)} es del pedido ${p.order}, que la tienda ya no tiene: recupérelo de la papelera, o emita la nota de crédito si la venta no existió.`,
        refund: (p: Named & { refund: string }) =>
          `${nameOf(p)} es del reembolso ${p.refund} del pedido ${p.order}, que la tienda ya no tiene o cuyo monto no indica: revise si el dinero se devolvió.`,
      },
    ),
    'document-removed': byWhy(
      [
        'Falta en el registro un documento que el servicio tiene.',
        'Alguien cambió el registro: restaure un respaldo (docs/upgrade.md).',
      ],
      {
        attempt: ({ number, total }: { number: string; total: string }) =>
          `Alguien quitó del registro el documento ${number} por ${total}, que ya se había enviado: recupere el registro de un respaldo.`,
      },
    ),
    'state-differs': byWhy(
      [
        'El registro y el servicio dicen estados distintos, o el servicio no tiene lo que el registro da por autorizado.',
        'Compruebe su clave de acceso en el portal del SRI; si está autorizada, dé esa clave con «facturapuente adopt DOCUMENTO CLAVE».',
      ],
      {
        'authorised-here': (p: Named & { there: keyof typeof stateThere }) =>
          `${nameOf(p)} figura autorizada en el registro y ${stateThere[p.there]}: compruebe su clave de acceso en el portal del SRI.`,
        'authorised-there': (p: Named & { total: string; state: string }) =>
          `${nameOf(p)} está autorizada en el servicio por ${p.total} y el registro la tiene como «${p.state.toLowerCase()}»: tómela con «facturapuente adopt».`,
      },
    ),
    'document-differs': byWhy(general(alerts.entries['document-differs']), {
      service: (p: Apart) =>
        `${nameOf(p)} no es lo mismo en el registro y en el servicio ${apartText(p.fields)}`,
      'refund-gone': (p: Named) =>
        `${nameOf(p)} se emitió sin el dinero de un reembolso que el pedido ${p.order} ya no tiene: revise si se devolvió.`,
      shop: (p: Named & { total: string | null; expected: string; isShort: boolean }) =>
        `${nameOf(p)} es por ${p.total ?? 'nada'} y la tienda dice ${p.expected} en el pedido ${p.order}: ${p.isShort ? 'emita a mano un documento por lo que falta' : 'revise qué cambió en el pedido después de emitirla'}.`,
      alert: ({ message }: { message: string }) => message,
    }),
    'document-annulled': byWhy(general(alerts.entries['document-annulled']), {
      sold: (p: Named) =>
        `${nameOf(p)} figura ANULADA en el portal del SRI y el pedido ${p.order} sigue vendido en la tienda: si la venta quedó sin efecto, regístrelo en la tienda; si sigue en pie, emita a mano otro documento.`,
    }),
    'document-unknown': byWhy(
      [
        'El servicio o un pedido tiene un documento que no es del registro.',
        'Si lo emitió otro sistema, dele otro punto de emisión; si era de aquí, dé su clave con «facturapuente adopt DOCUMENTO CLAVE», o restaure un respaldo.',
      ],
      {
        'on-order': ({ order, ...unknown }: Unknown & { order: string }) =>
          `El pedido ${order} lleva el documento ${worth(unknown)}, que el registro no tiene: recupere el registro de un respaldo, o compruebe quién lo emitió.`,
        'in-series': (p: Unknown) =>
          `El servicio autorizó el documento ${worth(p)} en la serie de este sistema, y el registro no lo tiene: si lo emitió otro sistema o una persona, asígnele otro punto de emisión.`,
      },
    ),
    'authorized-twice': byWhy(
      ['Una venta tiene dos documentos autorizados.', 'Anule uno en el portal del SRI, con su contador.'],
      {
        'same-order': (p: Repeated) => repeated(p),
        'same-shop': (p: Repeated & { other: string }) =>
          repeated(p, ` por la tienda ${p.other}, que es la misma`),
        'former-shop': (p: Repeated & { other: string }) => repeated(p, ` cuando la tienda era ${p.other}`),
        'split-order': (p: Named & { other: string }) =>
          `${nameOf(p)} es del pedido ${p.order}, que salió del pedido ${p.other}, y ese tiene su factura por las mismas líneas: si es una sola venta, anule una de las dos en el portal del SRI o acredítela a mano, y decida en policy.subOrders cuál se factura.`,
        'other-key': ({ order, number }: { order: string; number: string }) =>
          `El pedido ${order} tiene en el servicio otro documento autorizado, ${number}, con una clave que el registro dio por perdida: anule uno de los dos en el portal del SRI.`,
      },
    ),
    'document-of-other-sale': byWhy(
      [
        'El documento es anterior al pedido que hoy lleva su número: la tienda se restauró y dio el número otra vez.',
        'Vea qué venta está facturada y emita a mano la otra.',
      ],
      {
        reused: (p: Named & { issueDate: string | null; today: string; placed: string }) =>
          `${nameOf(p)} es del ${p.issueDate} y el pedido ${p.today} que hoy lleva ese número en la tienda se hizo el ${p.placed}: la tienda se restauró o se reinstaló y dio el número otra vez. El documento sigue siendo de la venta anterior. Si el pedido de hoy es otra venta, acéptelo con «facturapuente accept» y el id de su documento retenido, o factúrelo a mano.`,
      },
    ),
    'key-not-on-order': byWhy(
      [
        'El pedido ya no lleva la clave de su documento, que sigue autorizado.',
        'No emita otro: la tienda se restauró de un respaldo, o alguien quitó la clave.',
      ],
      {
        removed: (p: Named & { others: readonly string[] }) =>
          `La clave de ${named(p.kind)} ${p.number} se escribió en el pedido ${p.order}, que ahora ${p.others.length > 0 ? `lleva ${p.others.join(', ')}` : 'no lleva ninguna'}: la tienda se restauró de un respaldo o alguien la quitó. El documento sigue autorizado; no emita otro.`,
      },
    ),
    'sale-passed-over': byWhy(
      [
        'Un pedido se pagó cuando el registro ya trabajaba para su tienda y quedó fuera por anterior al inicio.',
        'Ponga ese día en invoiceFrom, reinicie y ejecute «facturapuente sync --since» con el mismo día.',
      ],
      {
        early: (p: { order: string; amount: string; day: string; store: string }) =>
          `El pedido ${p.order} cobró ${p.amount} el ${p.day}, cuando este registro ya trabajaba para la tienda ${p.store}, y quedó sin factura por anterior al inicio: escriba en la configuración invoiceFrom: '${p.day}' y pídalo con «facturapuente sync --since ${p.day}».`,
      },
    ),
    'credits-differ': byWhy(
      [
        'Los créditos que gastó la cuenta no son los documentos que se autorizaron en producción.',
        'Vea su historial en el panel del servicio: otro sistema puede emitir con la misma cuenta.',
      ],
      {
        account: (p: CreditsOfDay) =>
          `${creditWords(p)} Vea el historial de créditos en el panel del servicio: otro sistema puede emitir con la misma cuenta, o un documento se cobró de más.`,
      },
    ),
    'rounding-difference': byWhy(general(documents.entries['rounding-difference']), {
      service: (p: Apart) =>
        `${nameOf(p)} la redondeó el servicio a su manera; vale lo autorizado ${apartText(p.fields)}`,
    }),
    'number-gap': byWhy(
      ['Falta un número y no hay un motivo registrado.', 'Búsquelo en el servicio y en el portal del SRI.'],
      {
        one: (p: Gap) =>
          gapText(
            p,
            `falta el número ${p.first}: ningún documento del registro lo lleva`,
            'el número lo asignó el registro perdido y ya no se usa',
          ),
        several: (p: Gap) =>
          gapText(
            p,
            `faltan los números ${p.first} a ${p.last}: ningún documento del registro los lleva`,
            'los números los asignó el registro perdido y ya no se usan',
          ),
      },
    ),
  },
} satisfies Group;

interface CreditsOfDay {
  account: string;
  /** Null where the service does not show its history. */
  consumed: number | null;
  rolledBack: number | null;
  recharged: number | null;
  documents: number;
}

export function creditWords({ account, consumed, rolledBack, recharged, documents }: CreditsOfDay): string {
  const issued = documents === 1 ? 'se autorizó 1 documento' : `se autorizaron ${documents} documentos`;
  return consumed === null
    ? `Cuenta ${account}: no se compararon los créditos: el historial del servicio no está disponible o no se puede leer completo; ${issued} de producción.`
    : `Cuenta ${account}: ${consumed} consumidos, ${rolledBack} devueltos y ${recharged} recargados; ${issued} de producción.`;
}

/** What the planner says of a sale that its document outlived. */
export const plannedText = (order: string, reason: string): string => `Pedido ${order}: ${reason}`;

/** What keeps a day from being reconciled. `more`: how many others like it. */
export const unansweredText = forms('', {
  'shop-without-access': ({ store }: { store: string }) =>
    `La tienda ${store} está configurada sin acceso a su API: no se le puede preguntar qué vendió, y solo se comparan el registro y el servicio. Para cerrar también con ella, dé acceso a su API en la configuración.`,
  shop: ({ store, error }: { store: string; error: string }) => `La tienda ${store} no respondió: ${error}`,
  'order-unread': ({ store, order }: { store: string; order: string }) =>
    `El pedido ${order} de la tienda ${store} no se pudo leer, y falta en este cierre: vea con «facturapuente explain ${order}» por qué, y repita el cierre cuando se lea.`,
  'order-failed': ({ store, order, error }: { store: string; order: string; error: string }) =>
    `El pedido ${order} de la tienda ${store} no se pudo leer, y falta en este cierre: ${error}`,
  'order-queued': ({ store, order, more }: { store: string; order: string; more: number }) =>
    `El pedido ${order} de la tienda ${store} está en la cola y todavía no se procesa${more > 0 ? `, como ${more} más` : ''}: vea con «facturapuente explain ${order}» qué espera, y repita el cierre cuando termine.`,
  service: ({ account }: { account: string }) =>
    `El servicio no respondió por todos los documentos de la cuenta ${account}: repita el cierre cuando responda.`,
  document: ({ order, account, more, ...document }: Named & { account: string; more: number }) =>
    `${nameOf(document)} del pedido ${order} sigue sin confirmar${more > 0 ? `, y ${more} más de la cuenta ${account}` : ''}: vea qué espera con «facturapuente explain ${order}», y repita el cierre cuando termine.`,
  close: ({ error }: { error: string }) => `El cierre no se pudo hacer: ${error}`,
});

export const internalError =
  'ocurrió un error interno. Repítalo, y si sigue avise al soporte técnico con «facturapuente support-bundle».';

/** What is wrong in the chain of kept closes. */
export const chainText = forms('', {
  'one-missing': ({ n }: { n: number }) => `Falta el cierre ${n}: alguien lo quitó.`,
  'several-missing': ({ n, last }: { n: number; last: number }) =>
    `Faltan los cierres ${n} a ${last}: alguien los quitó.`,
  altered: (p: KeptAs) => `${keptAs(p)} fue alterado: su contenido no es el que se firmó.`,
  'foreign-key': (p: KeptAs) => `${keptAs(p)} lo firmó una clave que no es de esta instalación.`,
  'chain-broken': (p: KeptAs) => `${keptAs(p)} no sigue al cierre anterior: la cadena está rota.`,
  'row-differs': (p: KeptAs) => `${keptAs(p)} está guardado con datos distintos de los que se firmaron.`,
});

interface KeptAs {
  n: number;
  day: string;
}

const keptAs = ({ n, day }: KeptAs): string => `El cierre ${n} (${day})`;
