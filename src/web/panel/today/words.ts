import { type Html, html } from '../../../domain/html.ts';
import { inBoth } from '../words.ts';

const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** What a person answers for, by the code of the hold. */
const acceptances: Record<string, (amount: string) => string> = {
  'order-id-reused': () => 'Es otra venta: facturarla',
  'refund-id-reused': () => 'Es otro reembolso: acreditarlo',
  'changed-after-payment': (amount) => `Se cobró ${amount}: facturarlo`,
};
const acceptancesInEnglish: typeof acceptances = {
  'order-id-reused': () => 'It is another sale: invoice it',
  'refund-id-reused': () => 'It is another refund: credit it',
  'changed-after-payment': (amount) => `${amount} was charged: invoice it`,
};

export const todayWords = inBoth(
  {
    nav: 'Hoy',
    title: 'Hoy',
    figures: {
      factura: 'Facturas autorizadas',
      'nota-credito': 'Notas de crédito',
      onTheWay: 'En camino',
      byThemselves: 'siguen solas',
      waiting: 'Esperan a una persona',
      below: 'están aquí abajo',
      none: 'ninguno',
      test: 'Todavía se emite en el ambiente de pruebas: estos documentos no tienen validez tributaria.',
    },
    list: 'Lo que espera a una persona',
    nothing: {
      title: 'Todo está al día',
      says: 'Nada espera a una persona. Cuando un pedido necesite algo que el sistema no puede decidir, aparecerá aquí con el motivo y el botón que lo resuelve.',
    },
    more: (n: number) => `Se muestran los ${n} más antiguos.`,
    order: (name: string) => `Pedido ${name}`,
    since: 'desde',
    store: 'Tienda',
    states: { held: 'Retenida', rejected: 'Rechazada', manual: 'Para decidir' },
    left: (left: Html) => html`al comprador le quedan ${left}`,
    unanswered: 'el comprador no respondió',
    answered: 'el comprador ya respondió',
    noReason: 'Sin motivo registrado.',
    group: (n: number) => `${plural(n, 'documento', 'documentos')} por el mismo motivo`,
    which: 'Ver cuáles',
    pause: {
      title: (account: string) => `La cuenta ${account} está en pausa`,
      waiting: (n: number) => plural(n, 'documento espera', 'documentos esperan'),
    },
    ambiente: { 1: 'pruebas', 2: 'producción', both: 'pruebas y producción' },
    series: {
      title: (series: string) => `La serie ${series} está detenida`,
      cure: 'Mire qué documento usa ese número. Después escriba en la configuración un primer número libre (series.first) y reinicie, o emita desde otro punto de emisión; lo retenido sigue solo.',
    },
    alert: 'Aviso',
    acts: {
      lookAgain: 'Volver a leer el pedido',
      lookAgainAll: (n: number) => `Volver a leer los ${n} pedidos`,
      retry: 'Intentar otra vez',
      accept: acceptances,
      newNumber: 'Facturar con otro número',
      reprocess: 'Reprocesar en el SRI',
      identify: 'Dar la identificación',
      adopt: 'Dar la clave de acceso',
      probe: 'Probar la cuenta ahora',
      clear: 'Ya lo revisé',
      story: 'Ver la historia',
    },
    allDone: (n: number) => `Se vuelven a leer ${n} pedidos de la tienda y se planifican de nuevo.`,
  },
  {
    nav: 'Today',
    title: 'Today',
    figures: {
      factura: 'Facturas authorised',
      'nota-credito': 'Notas de crédito',
      onTheWay: 'On their way',
      byThemselves: 'go on by themselves',
      waiting: 'Wait for a person',
      below: 'are told below',
      none: 'none',
      test: 'Documents are still issued in the test environment: they have no tax validity.',
    },
    list: 'What waits for a person',
    nothing: {
      title: 'Everything is up to date',
      says: 'Nothing waits for a person. When an order needs what the system cannot decide, it appears here with the reason and the button that mends it.',
    },
    more: (n: number) => `The ${n} oldest are shown.`,
    order: (name: string) => `Order ${name}`,
    since: 'since',
    store: 'Store',
    states: { held: 'Held', rejected: 'Rejected', manual: 'To be decided' },
    left: (left: Html) => html`the buyer has ${left} left`,
    unanswered: 'the buyer did not answer',
    answered: 'the buyer has answered',
    noReason: 'No reason was kept.',
    group: (n: number) => `${plural(n, 'document', 'documents')} for the same reason`,
    which: 'Show which',
    pause: {
      title: (account: string) => `Account ${account} is paused`,
      waiting: (n: number) => plural(n, 'document waits', 'documents wait'),
    },
    ambiente: { 1: 'test', 2: 'production', both: 'test and production' },
    series: {
      title: (series: string) => `Series ${series} is stopped`,
      cure: 'See which document uses that number. Then write a free first number into the configuration (series.first) and restart, or issue from another point; what is held goes on by itself.',
    },
    alert: 'Alert',
    acts: {
      lookAgain: 'Read the order again',
      lookAgainAll: (n: number) => `Read the ${n} orders again`,
      retry: 'Try again',
      accept: acceptancesInEnglish,
      newNumber: 'Invoice under another number',
      reprocess: 'Reprocess at the SRI',
      identify: 'Give the identification',
      adopt: 'Give the access key',
      probe: 'Probe the account now',
      clear: 'I have looked at it',
      story: 'See the story',
    },
    allDone: (n: number) => `${n} orders are read from the shop again and planned anew.`,
  },
);
export type TodayWords = (typeof todayWords)['es'];
