import { byWhy, type Message, type Params, type ParamsOf, say, type Text, type Texts } from './message.ts';

/** `limit`: null where the shop never allows consumidor final; `returned`: part of the total was given back. */
export interface NotFinal {
  total: string;
  limit: string | null;
  returned: boolean;
}

const notFinal = ({ total, limit, returned }: NotFinal): string =>
  limit === null
    ? 'la tienda no factura a consumidor final'
    : `el total de ${total}${returned ? ', sin descontar lo devuelto,' : ''} supera el límite de ${limit} para consumidor final`;

export const buyerHolds = {
  'buyer-id-missing': byWhy(
    [
      'Falta cédula, RUC o pasaporte y el total no permite consumidor final.',
      'Pida la identificación al comprador, con el enlace que dan el panel y «facturapuente identification-link», y escríbala en el pedido o en el panel.',
      'Pida cédula, RUC o pasaporte en la compra de la tienda. Con policy.buyer.ask, que viene activado, también se le pide después por un enlace.',
    ],
    {
      none: (about: NotFinal) =>
        `El pedido no trae cédula, RUC ni pasaporte del comprador y ${notFinal(about)}.`,
      asked: ({ source, ...about }: NotFinal & { source: string }) =>
        `El comprador pidió consumidor final en «${source}», pero ${notFinal(about)}.`,
      forgotten: 'De este pedido ya no se guarda quién compró, y la tienda tampoco lo dice.',
    },
  ),
  'buyer-id-wrong': byWhy(
    [
      'La identificación del pedido no es un número válido, o trae dos RUC distintos.',
      'Pida al comprador el número correcto y corríjalo en el pedido; si es un pasaporte o del exterior, indique ese tipo.',
      'Haga que la tienda revise el número al comprar, o pida al comprador el correcto.',
    ],
    {
      flaw: ({ source, flaw }: { source: string /** The end of a sentence. */; flaw: string }) =>
        `La identificación del comprador en «${source}» ${flaw}.`,
      two: [
        ({ one, other }: Texts<'one' | 'other'>) =>
          `El pedido trae dos RUC distintos, en «${one}» y en «${other}».`,
        'Confirme con el comprador a cuál se factura y deje solo ese en el pedido.',
      ],
      zeros: [
        ({ source, ...about }: NotFinal & { source: string }) =>
          `La identificación del comprador en «${source}» son solo ceros y ${notFinal(about)}.`,
        'Pida al comprador su cédula, RUC o pasaporte y corríjalo en el pedido.',
      ],
    },
  ),
  'buyer-name-missing': [
    'El pedido trae la identificación del comprador, pero no su nombre.',
    'Complete el nombre en la dirección de facturación.',
    'Haga obligatorio el nombre en la compra de la tienda.',
  ],
  'buyer-company-missing': byWhy(
    [
      'El RUC es de una sociedad y el pedido no trae su razón social.',
      'Escríbala en la empresa de la dirección de facturación o en el panel; policy.buyer.registry la consulta. Si es el RUC de una persona extranjera, que también lleva 9 como tercer dígito, policy.buyer.companyNameMissing: warn factura con su nombre.',
      'Pida en la compra la empresa (razón social) a quien escribe un RUC, o active la consulta del registro (policy.buyer.registry).',
    ],
    {
      missing:
        'El pedido pide factura con el RUC de una sociedad y no trae su razón social, que exige el art. 19 del Reglamento de Comprobantes de Venta; el nombre de una persona no basta, tampoco en el campo de la empresa.',
    },
  ),
} satisfies Readonly<Record<string, Message>>;

export type BuyerCode = keyof typeof buyerHolds;

export type BuyerParams<C extends BuyerCode> = ParamsOf<(typeof buyerHolds)[C]>;

const yours = 'Escriba su cédula, RUC o pasaporte para recibir la factura.';

const notFinalForYou = ({ total, limit }: NotFinal): string =>
  limit === null
    ? `Esta tienda no factura a consumidor final. ${yours}`
    : `Su compra de USD ${total} supera los USD ${limit} hasta los que se puede facturar a consumidor final. ${yours}`;

const buyerTexts: { [C in BuyerCode]: string | ((params: BuyerParams<C>) => string) } = {
  'buyer-id-missing': (about) =>
    about.why === 'forgotten' ? `Los datos de su compra ya no se guardan. ${yours}` : notFinalForYou(about),
  'buyer-id-wrong': (about) => {
    if (about.why === 'zeros') return notFinalForYou(about);
    if (about.why === 'two')
      return 'En su compra constan dos RUC distintos. Indique a cuál de los dos se debe emitir la factura.';
    return `El número de identificación que escribió en su compra ${about.flaw}. Escriba de nuevo su cédula (10 dígitos) o su RUC (13 dígitos), o indique que es un pasaporte o una identificación del exterior.`;
  },
  'buyer-name-missing':
    'Falta el nombre que debe constar en su factura. Escriba sus nombres y apellidos, o su razón social.',
  'buyer-company-missing':
    'Pidió factura con el RUC de una empresa. Escriba la razón social de la empresa tal como consta en el RUC.',
};

export type BuyerSaid = { [C in BuyerCode]: [code: C, params: BuyerParams<C> & Params] }[BuyerCode];

export const forBuyer = (...[code, params]: BuyerSaid): string =>
  say(buyerTexts[code] as Text, params as Params);

export const unansweredNote =
  'El comprador no respondió hasta la hora límite; su enlace de identificación sigue sirviendo hasta que venza.';
export const unreadNote = (fields: readonly string[]): string =>
  `El pedido trae en ${fields.map((name) => `«${name}»`).join(', ')} un número que puede ser la cédula o el RUC del comprador, y ese campo no se lee: si lo es, agréguelo a idSources en la conexión de la tienda.`;
