import { keeping } from './keeping.ts';
import { byWhy, type Group, type Message, type Params, type ParamsOf, say } from './message.ts';
import { shops, shopTwice } from './shops.ts';

const clear = 'dé el aviso por revisado en el panel o con «facturapuente alerts clear»';

export interface OfOrder {
  order: string;
}
export interface OfDocument extends OfOrder {
  document: string;
  number: string;
}

const which = (document?: string, number?: string): string => [document, number].filter(Boolean).join(' ');

const ntp =
  'Ponga en hora este equipo, o el servidor de PostgreSQL (NTP). Se compara cada minuto, y lo que espera sigue solo.';
const untilThen = 'hasta que coincidan no se emite, no se consulta y no se revisan las tiendas.';

const confirm = (store: string, as: string) => `«facturapuente store confirm ${store} --as ${as}»`;

const held =
  (general: string) =>
  ({ store, reason }: { store?: string; reason?: string }): string =>
    store
      ? `La tienda «${store}» está retenida: no se lee, no se emite y no se escribe nada por ella. ${reason}`
      : `${general}: queda retenida.`;

const hours = (count: number): string => (count === 1 ? 'una hora' : `${count} horas`);

const accepted =
  'Averigüe si la tienda se restauró de una copia. Si es otra venta u otra devolución, acéptelo en el panel o con «facturapuente accept DOCUMENTO»; si no, emita a mano.';

const ofDocument = (what: string, general: string) =>
  [
    ({ order, document, number, reason }: Partial<OfDocument> & { reason?: string | null }): string =>
      order ? `Pedido ${order}: ${which(document, number)} ${what}. ${reason ?? ''}`.trim() : general,
    'Vea el pedido en el panel o con «facturapuente explain»; corregida la causa, el documento sigue.',
  ] as const;

/** Delivered once when they begin, again while they last, and when they end. */
export const alerts = {
  title: 'Avisos',
  seen: 'Por correo y webhook (`notify`), en el panel, en `doctor` y como líneas `error` del registro con `alert`. Terminan solos con su causa, salvo document-differs, document-annulled, dropped-authorized, answers-mixed-up, ledger-older-than-service, shop-uninstalled, shop-without-store, shop-clock-back y webhooks-not-stored, que una persona da por revisados con «alerts clear». order-unread termina de las dos formas.',
  entries: {
    'account-api-key': [
      'El servicio de facturación no acepta la clave de API de la cuenta: lo suyo espera.',
      'Copie la clave vigente desde su perfil en el panel del servicio a la configuración y reinicie facturapuente.',
    ],
    'account-credits': [
      'La cuenta no tiene créditos para emitir en producción: lo suyo espera.',
      'Recargue la billetera de facturación en el panel del servicio; los documentos saldrán solos.',
    ],
    'account-provider-data': [
      'La cuenta no tiene aprobados los datos de proveedor que producción exige.',
      'Registre en el panel del servicio un RUC con establecimiento exclusivo de actividad J62021002 o J62021003 y su certificado; al aprobarse, los documentos saldrán solos.',
    ],
    'account-service': [
      'El servicio de facturación no responde.',
      'No hace falta hacer nada: se prueba cada cierto tiempo y los documentos saldrán solos. Si dura, revise baseUrl y la red, o pregunte al servicio.',
    ],
    'account-clock': [
      'El reloj de este equipo marca otro día que el del servicio de facturación, que rechaza la fecha de los documentos.',
      'Ponga en hora este equipo (NTP); los documentos saldrán solos. Si su hora es la correcta, pregunte al servicio.',
    ],
    'credits-low': [
      ({ left, state }: { left?: string; state?: string | null }) =>
        `${left ?? 'Los créditos se acaban pronto al ritmo actual.'}${state ? ` El servicio llama ${state} a su saldo.` : ''}`,
      ({ usd, documents }: { usd?: number; documents?: number }) =>
        usd
          ? `Recargue; la recarga que menos le cuesta por documento es la de ${usd} USD (unos ${documents} documentos).`
          : 'Recargue en el panel del servicio; el aviso dice cuál recarga conviene.',
    ],
    'certificate-expiring': [
      ({ owner, ruc, until, days }: { owner?: string; ruc?: string; until?: string; days?: number }) => {
        if (days === undefined) return 'La firma electrónica caduca pronto, o ya caducó.';
        const whose = `La firma electrónica de ${owner} (RUC ${ruc})`;
        if (days === 0) return `${whose} caducó el ${until}: ninguna factura se puede firmar.`;
        return `${whose} caduca el ${until}: ${days === 1 ? 'queda un día' : `quedan menos de ${days} días`}.`;
      },
      'Renuévela con su certificadora y suba la nueva con «facturapuente install --signature firma.p12».',
    ],
    'document-rejected': ofDocument('fue rechazada', 'Un documento fue rechazado.'),
    'document-manual': ofDocument(
      'necesita que una persona decida',
      'Un documento necesita que una persona decida.',
    ),
    'issuer-refused': [
      ({ order, reason }: Partial<OfOrder> & { reason?: string | null }) =>
        order && reason
          ? `Pedido ${order}: ${reason}`
          : 'El SRI no autoriza un documento por una causa del emisor: firma, RUC, establecimiento o autorización.',
      'Corrija hoy lo que dice: hasta entonces el SRI no autoriza ningún documento del emisor. Después el documento se procesa de nuevo solo, cinco veces en un día.',
    ],
    unconfirmed: [
      ({ order, reason }: Partial<OfOrder> & { reason?: string | null }) =>
        order && reason
          ? `Pedido ${order}: ${reason}`
          : 'Desde hace un día el servicio no dice qué fue de un documento.',
      'Búsquelo en el panel del servicio o en el portal del SRI; lo que el servicio diga después se reconoce solo.',
    ],
    'document-differs': byWhy(
      [
        'El XML autorizado no dice lo que se envió, o el servicio avisó una autorización que después niega.',
        ({ accessKey }: { accessKey?: string }) =>
          `Busque la clave${accessKey ? ` ${accessKey}` : ''} en el portal del SRI y compare el documento con el pedido antes de entregarlo. Si difiere, anúlelo ahí; si no está autorizado, avise al servicio. Después ${clear}.`,
      ],
      {
        denied: ({ order, document, number }: OfDocument) =>
          `Pedido ${order}: el servicio avisó que ${which(document, number)} fue autorizada, y a la consulta responde que terminó con error. Su XML autorizado no existe.`,
        fields: ({ order, number, fields }: OfOrder & { number: string; fields: string }) =>
          `Pedido ${order}: lo que autorizó el SRI con el número ${number} no es lo que se envió (${fields}).`,
      },
    ),
    'document-annulled': [
      ({ order, document, number }: Partial<OfDocument>) =>
        order
          ? `Pedido ${order}: ${which(document, number)} figura ANULADA en el portal del SRI.`
          : 'Alguien anuló en el portal del SRI un documento autorizado; no se acredita.',
      `Si la venta quedó sin efecto, registre en la tienda su devolución o cancelación y ${clear}; si sigue en pie, emita a mano otro documento por ella.`,
    ],
    'dropped-authorized': [
      ({ order, document, number }: Partial<OfDocument>) =>
        order
          ? `Pedido ${order}: el SRI autorizó ${which(document, number)}, que aquí se había descartado.`
          : 'El SRI autorizó un documento que aquí se había descartado.',
      ({ accessKey }: { accessKey?: string | null }) =>
        `Si el pedido ya tiene otra o no debe llevarla, anúlela en el portal del SRI${accessKey ? ` (clave ${accessKey})` : ''}.`,
    ],
    'answers-mixed-up': [
      ({ account, times }: { account?: string; times?: number }) =>
        `El servicio respondió ${times ? `${times} veces en un día` : 'más de una vez'} con el documento de otra solicitud${account ? ` (cuenta ${account})` : ''}. Nada de eso se creyó: cada documento se averigua por su propia clave.`,
      'Revise qué hay entre facturapuente y el servicio (un proxy o una caché no debe guardar respuestas de /api); si no hay nada, avise al servicio.',
    ],
    'ledger-older-than-service': [
      (p: { store?: string; document?: string; number?: string; source?: string }) =>
        `${p.store ? `El servicio tiene autorizada ${p.document} ${p.number} (${p.source} de la tienda ${p.store})` : 'El servicio tiene autorizados documentos de esta tienda'}, que el registro no conoce: se restauró de una copia anterior, o perdió lo último.`,
      'Espere a que la serie siga: cada pedido recibe la factura que ya tenía; lo que quede con stored-differs lo decide una persona. Cierre de nuevo los días desde esa copia con «facturapuente close». Compare con lo cobrado los pedidos que se pagaron y se editaron después de esa copia: se facturan por lo que dicen ahora. Vea con doctor lo que falte, y revise de qué copia se restauró el registro.',
    ],
    'redis-shared': [
      ({ prefix = '' }: { prefix?: string }) =>
        `Otra instalación usa el mismo Redis con el mismo prefijo${prefix && ` (${prefix})`}: cada una toma trabajos de la otra y ambas van lentas.`,
      'Dé a una de las dos otro redis.prefix, o un Redis propio, y reinicie.',
    ],
    'series-stopped': keeping.entries['series-stopped'],
    'series-exhausted': keeping.entries['series-exhausted'],
    'ledger-unwritable': keeping.entries['ledger-unwritable'],
    'job-keeps-failing': [
      (p: { about?: string; doing?: string; failures?: number; since?: string; reason?: string }) =>
        p.about
          ? `${p.about}: no se logra ${p.doing} (${p.failures} intentos desde ${p.since}). ${p.reason}`
          : 'Un trabajo falló diez veces seguidas, o durante seis horas; se sigue intentando.',
      'Corrija la causa; se sigue intentando cada cierto tiempo, y el aviso termina solo. Si no la entiende, pida ayuda con «facturapuente support-bundle».',
    ],
    'job-held': [
      ({ about = 'Un trabajo', doing }: { about?: string; doing?: string }) =>
        `${about}: el programa se detuvo dos veces mientras ${doing ? `intentaba ${doing}` : 'lo hacía'}. Ese trabajo queda detenido, para que los demás sigan.`,
      ({ subject = 'TEMA' }: { subject?: string }) =>
        `Envíe «facturapuente support-bundle» a quien mantiene el programa. Corregida la causa, libérelo en el panel o con «facturapuente alerts clear job-held "${subject}"».`,
    ],
    'clock-differs': byWhy(
      [`El reloj con el que se trabaja no es el del servicio de facturación: ${untilThen}`, ntp],
      {
        service: ({ minutes, ahead }: { minutes: number; ahead: boolean }) =>
          `El reloj con el que se trabaja ${ahead ? 'adelanta' : 'atrasa'} ${minutes} minutos frente al del servicio de facturación: ${untilThen}`,
        jumped: `El reloj cambió de golpe más de un minuto, y el servicio de facturación no responde para compararlo: ${untilThen}`,
      },
    ),
    'webhooks-refused': [
      ({ store = '', since }: { store?: string; since?: string }) =>
        `${since ? `Desde el ${since} los` : 'Los'} webhooks de la tienda${store && ` «${store}»`} llegan firmados con otro secreto y se rechazan: sus pedidos se encuentran solo al revisar la tienda, más tarde.`,
      ({ store = 'TIENDA' }: { store?: string }) =>
        `Ejecute «facturapuente install --store ${store}», que corrige el secreto de los webhooks de WooCommerce; en Shopify, copie el secreto actual de la app en clientSecrets y reinicie.`,
    ],
    'webhooks-not-stored': [
      ({ store = '' }: { store?: string }) =>
        `La tienda${store && ` «${store}»`} envió hoy más webhooks de los que se guardan en un día: hasta mañana se rechazan y sus pedidos no se guardan. Sin acceso a la API no se encuentran de otra forma.`,
      `Averigüe por qué la tienda envía tanto y revise que sus webhooks sigan activos. Desde mañana, guarde otra vez en la tienda los pedidos sin factura, para que los envíe de nuevo, o emítala a mano; después ${clear}.`,
    ],
    'order-waiting': byWhy(
      [
        'Un pedido o comprobante espera a una persona desde hace más de un día.',
        'Haga lo que dice: después sigue solo. Véalo en el panel o con «facturapuente explain», y los demás con «facturapuente documents --state held».',
      ],
      {
        document: ({
          order,
          document,
          since,
          reason,
        }: OfOrder & { document: string; since: string; reason: string | null }) =>
          `Pedido ${order}: ${document} espera a una persona desde el ${since}. ${reason ?? ''}`.trim(),
        money: ({ order, reason }: OfOrder & { reason: string }) =>
          `Pedido ${order}: no cambia en la tienda desde hace más de un día. ${reason}`,
      },
    ),
    'jobs-overdue': [
      (p: { since?: string; why?: 'nobody' | 'full' | 'refused' }) => {
        const who = {
          nobody: ' Ningún proceso worker trabaja, o Redis borra los trabajos.',
          full: ' La memoria de Redis está llena.',
          refused: ' Redis no responde o no acepta trabajos.',
        };
        return `${p.since ? `Desde el ${p.since} hay` : 'Hay'} trabajo pendiente y ningún proceso lo toma: no se emite, no se consulta y no se revisan las tiendas.${p.why ? who[p.why] : ''}`;
      },
      ({ why }: { why?: 'nobody' | 'full' | 'refused' }) =>
        why === 'full'
          ? 'Dé más memoria a Redis (maxmemory), o borre lo que otros programas guardan en él. Nada se pierde: después todo sigue solo.'
          : `Revise que ${why === 'refused' ? '' : '«facturapuente start --role worker» (o all) esté en marcha y qué dice su registro, y que '}Redis esté en marcha, acepte escrituras con «maxmemory-policy noeviction» y redis.url (REDIS_URL) sea correcta. Nada se pierde: después todo sigue solo.`,
    ],
    'buyer-unanswered': [
      ({ order, store }: Partial<OfOrder> & { store?: string }) =>
        order
          ? `El pedido ${order} de «${store}» sigue retenido: el comprador no dio su identificación hasta la hora límite.`
          : 'El comprador no dio su identificación hasta la hora límite.',
      'Pida al comprador su cédula, RUC o pasaporte y escríbalo en el pedido, o envíele de nuevo su enlace, que muestran el panel y «facturapuente identification-link».',
    ],
    'buyer-asked': [
      ({ shop }: { shop?: string }) =>
        `Un comprador${shop ? ` de ${shop}` : ''} pidió los datos que se guardan de él; hay 30 días para dárselos.`,
      ({ request = 'SOLICITUD' }: { request?: string }) =>
        `Escriba «facturapuente privacy export ${request}» y entréguele el archivo.`,
    ],
    'second-factor-guessed': [
      ({ user, codes }: { user?: string; codes?: number }) =>
        user
          ? `Con la contraseña de «${user}» se probaron ${codes} códigos equivocados en el panel.`
          : 'Alguien con la contraseña de un usuario del panel prueba códigos equivocados; cada cinco, la espera se duplica.',
      'Si no fue esa persona, alguien conoce su contraseña: póngale otra (hash-password) y reinicie. Termina con un código correcto.',
    ],
    'registry-limit': byWhy(
      [
        'Una tienda usó todas las consultas de nombres de un día; hasta mañana no se consulta ninguno.',
        'Si vende tanto, suba policy.buyer.registryPerDay y reinicie; si no son compradores suyos, revise quién crea esos pedidos.',
      ],
      {
        links: ({ store, limit }: { store: string; limit: number }) =>
          `Los compradores de la tienda «${store}» llegaron al límite de consultas de nombres de hoy (${limit}): hasta mañana escriben su nombre ellos mismos.`,
        store: ({ store, limit }: { store: string; limit: number }) =>
          `La tienda «${store}» llegó al límite de consultas de nombres de hoy (${limit}): hasta mañana los pedidos se facturan con el nombre que traen, y los que no traen ninguno esperan.`,
      },
    ),
    'close-differs': [
      ({
        day,
        result,
        first = '',
        more = 0,
      }: {
        day?: string;
        result?: string;
        first?: string;
        more?: number;
      }) =>
        day
          ? `El cierre del ${day} ${result === 'red' ? 'no cuadra' : 'no se pudo conciliar'}: ${first}${more > 0 ? ` (y ${more} más)` : ''}`
          : 'El cierre de un día no cuadra.',
      ({ day = 'DÍA' }: { day?: string }) =>
        `Véalo con «facturapuente close --date ${day}»; cuando esté corregido, ciérrelo otra vez con --save.`,
    ],
    'reconciliation-behind': [
      ({ hours: count, doing }: { hours?: number; doing?: string }) =>
        count
          ? `Hace ${hours(count)} que no se logra ${doing}`
          : 'Hace tiempo que no se logra revisar una tienda, o una de sus listas: lo que ningún webhook avisó no se factura.',
      'Revise que la tienda responda y que su acceso siga vigente con «facturapuente install --check».',
    ],
    'store-missing': [
      ({ store = '', shop = '', documents }: { store?: string; shop?: string; documents?: number }) =>
        `La tienda${store && ` «${store}»`}${shop && ` (${shop})`} ya no está en la configuración, con ${documents === undefined ? 'comprobantes suyos' : documents === 1 ? 'un comprobante suyo' : `${documents} comprobantes suyos`} en camino: esperan sin enviarse ni consultarse.`,
      'Devuélvala a la configuración, o regístrela con «store add»: lo que espera sigue solo. Después espere a que termine y quítela.',
    ],
    'shop-not-answering': [
      ({ store = '', reason = '' }: { store?: string; reason?: string }) =>
        `La tienda${store && ` ${store}`} no responde: sus pedidos esperan, y los de las demás tiendas siguen.${reason && ` ${reason}`}`,
      'Revise que su sitio esté en línea. Cada pedido se intenta otra vez solo, como mucho un cuarto de hora después de que responda.',
    ],
    'shop-clock-back': [
      ({ store, order, later, now }: { store?: string; order?: string; later?: string; now?: string }) =>
        `${store ? `Tienda ${store}: el pedido ${order} tenía la hora de cambio ${later} y ahora dice ${now}` : 'La hora de cambio de un pedido retrocedió'}. El reloj de la tienda se adelantó y fue corregido, o la tienda se restauró de una copia.`,
      `Ponga el servidor de la tienda en hora con NTP. Si se restauró de una copia, compruebe los últimos pedidos. Lo leído ahora vale; ${clear}.`,
    ],
    'order-unread': byWhy(
      [
        'Hace una hora que la tienda da cuenta de un pedido y su API no lo muestra, o lo muestra como era antes. No se emite nada por él; se lee otra vez al menos cada hora.',
        ({ permission }: { permission?: string }) =>
          permission
            ? `Conceda ${permission} a la app (docs/shopify.md): el pedido se lee solo, como mucho una hora después. Sin ese permiso emita el documento a mano. Si el pedido se borró en la tienda, ${clear}.`
            : `Revise si una caché, un plugin o un proxy responde por la API de la tienda, y excluya /wp-json/ de la caché. Se lee otra vez al menos cada hora, y el aviso termina solo; si la API tiene razón, guarde el pedido otra vez en la tienda. Si el pedido se borró en la tienda, ${clear}.`,
      ],
      {
        hidden: ({ store, order, permission }: { store: string; order: string; permission: string }) =>
          `Tienda ${store}: el pedido ${order} cambió o tiene algo pendiente, y la tienda lo oculta por su antigüedad porque la app no tiene el permiso ${permission}. Lo que se cobró o se devolvió en él espera, sin factura ni nota de crédito.`,
        contradicted: ({
          store,
          order,
          hours: count,
          shownAt,
        }: {
          store: string;
          order: string;
          hours: number;
          shownAt: string | null;
        }) =>
          `Tienda ${store}: desde hace ${hours(count)} la tienda da cuenta del pedido ${order}, y su API ${shownAt === null ? 'responde que no existe' : `lo muestra como era el ${shownAt}`}. No se emite nada por él.`,
      },
    ),
    'order-hidden-soon': [
      (p: { store?: string; order?: string; days?: number; permission?: string }) =>
        p.store
          ? `Tienda ${p.store}: el pedido ${p.order} tiene algo pendiente, y desde los ${p.days} días la tienda lo oculta a la app, que no tiene el permiso ${p.permission}.`
          : 'Un pedido de hace 50 días o más tiene algo pendiente, y Shopify lo oculta desde los 60 a una app sin el permiso read_all_orders.',
      ({ permission = 'read_all_orders' }: { permission?: string }) =>
        `Conceda ${permission} a la app (docs/shopify.md), o resuelva antes lo pendiente del pedido; lo que se cobre o devuelva después no se factura solo.`,
    ],
    'order-id-reused': [
      ({ store, order, reason }: { store?: string; order?: string; reason?: string }) =>
        store
          ? `Tienda ${store}, pedido ${order}: ${reason}`
          : 'La tienda dio a otro pedido el id de uno conocido; el nuevo espera.',
      accepted,
    ],
    'refund-id-reused': [
      ({ store, order, reason }: { store?: string; order?: string; reason?: string }) =>
        store
          ? `Tienda ${store}, pedido ${order}: ${reason}`
          : 'La tienda dio a otro reembolso un id que ya tiene nota de crédito; el nuevo espera.',
      accepted,
    ],
    'shop-is-a-copy': [
      held('La dirección configurada es una copia de la tienda (staging), con su misma identidad'),
      ({ store = 'TIENDA' }: { store?: string }) =>
        `Use la dirección de la tienda que vende. Si la que vende es esta y la otra quedó atrás, ejecute ${confirm(store, 'moved')}.`,
    ],
    'shop-moved': [
      held('La tienda conocida responde en otra dirección y no se pudo comprobar que se mudó'),
      ({ store = 'TIENDA' }: { store?: string }) =>
        `Si la tienda se mudó, ejecute ${confirm(store, 'moved')}; si esta es una copia de pruebas, use la dirección de la que vende.`,
    ],
    'shop-twice': shopTwice,
    'shop-identity-changed': [
      held(
        'En la dirección responde otra tienda que antes (reinstalada, restaurada desde otra, dominio con otro dueño)',
      ),
      ({ store = 'TIENDA', known = false }: { store?: string; known?: boolean }) =>
        known
          ? `Si esa tienda se mudó aquí, ejecute ${confirm(store, 'moved')}; si no, corrija la dirección.`
          : `Si es la misma tienda, con sus mismos pedidos, ejecute ${confirm(store, 'same')}; si es otra que empieza de nuevo, ${confirm(store, 'new')}. Si no es suya, corrija la dirección.`,
    ],
    'shop-not-connected': [
      ({ reason = 'La tienda ya no deja entrar, o se desinstaló.' }: { reason?: string }) => reason,
      ({ reason }: { reason?: string }) =>
        reason === undefined
          ? 'Conecte otra vez la tienda con «facturapuente install»; lo que espera sigue solo.'
          : 'Haga lo que dice; lo que espera sigue solo.',
    ],
    'shop-uninstalled': [
      ({ shop = '' }: { shop?: string }) =>
        `La tienda${shop && ` ${shop}`} quitó la app: sus claves se borraron y sus pedidos esperan. Lo que ya tenía número se termina de emitir.`,
      'Si fue un error, vuelva a instalarla: lo que espera sigue solo.',
    ],
    'shop-without-store': [
      ({ shop = '' }: { shop?: string }) =>
        `La tienda${shop && ` ${shop}`} instaló la app y todavía no tiene quién emita sus facturas.`,
      'Regístrela con «facturapuente store add» o en la configuración; sus webhooks se guardan mientras tanto.',
    ],
    'shop-forbidden': shops.entries['shop-forbidden'],
    'shop-installation': [
      ({ store = '', items = '' }: { store?: string; items?: string }) =>
        `La instalación de la tienda${store && ` «${store}»`} no estaba completa.${items && ` ${items}`}`,
      ({ store = 'TIENDA', url = 'publicUrl' }: { store?: string; url?: string }) =>
        `Si se repite, revise que ${url} responda siempre, y ejecute «facturapuente install --store ${store} --check».`,
    ],
  },
} satisfies Group;

export type AlertCode = keyof (typeof alerts)['entries'];

export type AlertParams<C extends AlertCode> = ParamsOf<(typeof alerts)['entries'][C]> & Params;

export function alertTexts(code: string, params: Params = {}): { what: string; resolution: string } {
  const [means, fix]: Partial<Message> = Object.hasOwn(alerts.entries, code)
    ? alerts.entries[code as AlertCode]
    : [];
  return { what: say(means ?? code, params), resolution: say(fix ?? '', params) };
}
