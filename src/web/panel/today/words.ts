import { type Html, html } from '../../../domain/text.ts';
import { inBoth, plural } from '../visit.ts';

export const todayWords = inBoth({
  nav: ['Hoy', 'Today'],
  title: ['Hoy', 'Today'],
  figures: {
    factura: ['Facturas autorizadas', 'Facturas authorised'],
    'nota-credito': ['Notas de crédito', 'Notas de crédito'],
    underWay: ['En trámite', 'In progress'],
    noAction: ['no requieren acción', 'no action needed'],
    waiting: ['Requieren atención', 'Need attention'],
    below: ['detalle abajo', 'see below'],
    none: ['ninguno', 'none'],
    test: [
      'Todavía se emite en el ambiente de pruebas: estos documentos no tienen validez tributaria.',
      'Documents are still issued in the test environment: they have no tax validity.',
    ],
  },
  list: ['Pendientes', 'Pending'],
  nothing: {
    title: ['Todo está al día', 'Everything is up to date'],
    says: [
      'Nada requiere su atención. Cuando un pedido necesite algo que el sistema no puede decidir, aparecerá aquí con el motivo y el botón que lo resuelve.',
      'Nothing needs your attention. When an order needs what the system cannot decide, it appears here with the reason and the button that resolves it.',
    ],
  },
  more: [(n: number) => `Se muestran los ${n} más antiguos.`, (n: number) => `The ${n} oldest are shown.`],
  order: [(name: string) => `Pedido ${name}`, (name: string) => `Order ${name}`],
  since: ['desde', 'since'],
  left: [
    (left: Html) => html`al comprador le quedan ${left}`,
    (left: Html) => html`the buyer has ${left} left`,
  ],
  unanswered: ['el comprador no respondió', 'the buyer did not answer'],
  answered: ['el comprador ya respondió', 'the buyer has answered'],
  refused: ['el SRI no la autoriza', 'refused by the SRI'],
  noReason: ['Sin motivo registrado.', 'No reason recorded.'],
  group: [
    (n: number) => `${plural(n, 'documento', 'documentos')} por el mismo motivo`,
    (n: number) => `${plural(n, 'document', 'documents')} for the same reason`,
  ],
  which: ['Ver cuáles', 'Show which'],
  pause: {
    title: [
      (account: string) => `La cuenta ${account} está en pausa`,
      (account: string) => `Account ${account} is paused`,
    ],
    waiting: [
      (n: number) => plural(n, 'documento en espera', 'documentos en espera'),
      (n: number) => plural(n, 'document waiting', 'documents waiting'),
    ],
  },
  ambiente: {
    1: ['pruebas', 'test'],
    2: ['producción', 'production'],
    both: ['pruebas y producción', 'test and production'],
  },
  series: {
    title: [
      (series: string) => `La serie ${series} está detenida`,
      (series: string) => `Series ${series} is stopped`,
    ],
    resolution: [
      'Revise qué documento usa ese número. Después escriba en la configuración un primer número libre (series.first) y reinicie, o emita desde otro punto de emisión; los documentos retenidos saldrán sin hacer nada más.',
      'See which document uses that number. Then write a free first number into the configuration (series.first) and restart, or issue from another point; the held documents are then sent without further action.',
    ],
  },
  alert: ['Aviso', 'Alert'],
  acts: {
    readAgain: ['Actualizar desde la tienda', 'Read the order again'],
    readAllAgain: [
      (n: number) => `Actualizar los ${n} pedidos desde la tienda`,
      (n: number) => `Read the ${n} orders again`,
    ],
    retry: ['Intentar otra vez', 'Retry'],
    accept: {
      'order-id-reused': ['Es otra venta: facturarla', 'It is another sale: invoice it'],
      'refund-id-reused': ['Es otro reembolso: emitir su nota de crédito', 'It is another refund: credit it'],
      'unknown-access-key': [
        'La clave es de otra venta: facturarlo',
        'The key is of another sale: invoice it',
      ],
      'sub-orders': ['No es parte del otro cobro: facturarlo', 'No part of the other payment: invoice it'],
      'changed-after-payment': [
        (amount: string) => `Se cobró ${amount}: facturarlo`,
        (amount: string) => `${amount} was charged: invoice it`,
      ],
    },
    newNumber: ['Facturar con otro número', 'Invoice under another number'],
    reprocess: ['Reprocesar en el SRI', 'Reprocess at the SRI'],
    identify: ['Ingresar la identificación', 'Enter the identification'],
    adopt: ['Ingresar la clave de acceso', 'Enter the access key'],
    probe: ['Probar la cuenta ahora', 'Probe the account now'],
    clear: ['Ya lo revisé', 'I have reviewed it'],
    timeline: ['Ver el historial', 'See the timeline'],
  },
  allDone: [
    (n: number) => `Se actualizan ${n} pedidos desde la tienda y se planifican de nuevo.`,
    (n: number) => `${n} orders are read from the shop again and planned again.`,
  ],
});
