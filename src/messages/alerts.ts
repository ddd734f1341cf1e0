import type { Group } from './message.ts';

/** Delivered once when they begin, again while they last, and when they end. */
export const alerts = {
  title: 'Avisos',
  seen: 'Por correo y webhook (`notify`), en el panel, en `doctor` y como líneas `error` del registro con `alert`. Terminan solos con su causa, salvo document-differs, document-annulled, dropped-authorized, answers-mixed-up, ledger-older-than-service, shop-uninstalled, shop-without-store, shop-clock-back, history-unclear y webhooks-not-stored, que una persona da por revisados con «alerts clear». order-unread termina de las dos formas.',
  entries: {
    'account-api-key': [
      'El servicio no acepta la clave API: la cuenta descansa.',
      'Copie la clave vigente del panel del servicio y reinicie.',
    ],
    'account-credits': [
      'No hay créditos para producción: la cuenta descansa.',
      'Recargue la billetera en el panel del servicio.',
    ],
    'account-provider-data': [
      'Faltan los datos de proveedor aprobados que producción exige.',
      'Regístrelos en el panel del servicio.',
    ],
    'account-service': [
      'El servicio no responde: la cuenta descansa.',
      'Mire su página de estado; sigue solo cuando vuelva.',
    ],
    'account-clock': [
      'El reloj marca otro día que el del servicio: la cuenta descansa.',
      'Ponga en hora el equipo con NTP; sigue solo.',
    ],
    'credits-low': [
      'Los créditos se acaban pronto al ritmo actual.',
      'Recargue; el aviso dice cuál recarga conviene.',
    ],
    'certificate-expiring': [
      'La firma electrónica caduca pronto.',
      'Renuévela y súbala con «install --signature».',
    ],
    'document-rejected': [
      'Un documento fue rechazado.',
      'Vea su código y su frase con explain; corrija y use retry.',
    ],
    'issuer-refused': [
      'El SRI no autoriza un documento por una causa del emisor: firma, RUC, establecimiento o autorización.',
      'Corrija lo que dice su frase; después se procesa de nuevo solo, cinco veces en un día.',
    ],
    'document-manual': ['Un documento necesita que una persona decida.', 'Vea su frase con explain.'],
    'document-unconfirmed': [
      'Desde hace un día el servicio no dice qué fue de un documento.',
      'Búsquelo en el panel del servicio o en el portal del SRI; se sigue preguntando.',
    ],
    'document-differs': [
      'El XML autorizado no dice lo que se envió, o el servicio avisó una autorización que después niega.',
      'Compare los campos que nombra, o busque la clave en el portal del SRI, y avise al servicio; revise con su contador.',
    ],
    'document-annulled': [
      'Alguien anuló en el portal del SRI un documento autorizado.',
      'Si la venta quedó sin efecto, dé el aviso por revisado; si sigue en pie, emita a mano otro documento.',
    ],
    'dropped-authorized': [
      'El SRI autorizó un documento que aquí se había descartado.',
      'Si la venta ya tiene otro o no debe llevarlo, anúlelo en el portal del SRI.',
    ],
    'answers-mixed-up': [
      'El servicio respondió más de una vez con el documento de otra solicitud; nada de eso se creyó.',
      'Un proxy o una caché no debe guardar respuestas del servicio; si no hay nada en medio, avise al servicio.',
    ],
    'ledger-older-than-service': [
      'El servicio tiene autorizados documentos de esta tienda que el registro no conoce: se restauró de una copia anterior, o perdió lo último.',
      'Espere a que se reconozcan; lo que quede con stored-differs lo decide una persona. Revise de qué copia se restauró el registro.',
    ],
    'redis-shared': [
      'Otra instalación usa el mismo Redis con el mismo prefijo: cada una toma trabajos de la otra.',
      'Dé a una de las dos otro redis.prefix y reinicie.',
    ],
    'series-stopped': [
      'Otro sistema usa números de la misma serie.',
      'Elija un punto de emisión propio, o suba series.first y reinicie.',
    ],
    'series-exhausted': [
      'Una serie dio su último número, 999999999, y hay ventas que esperan uno.',
      'Abra otro punto de emisión en el SRI, escríbalo en la configuración y reinicie.',
    ],
    'job-keeps-failing': [
      'Un trabajo falló diez veces seguidas, o durante seis horas; se sigue intentando.',
      'Corrija la causa que nombra; explain y doctor muestran el motivo y cuántas veces falló.',
    ],
    'job-held': [
      'El programa se detuvo dos veces mientras hacía el mismo trabajo; queda detenido para que los demás sigan.',
      'support-bundle y quien mantiene el programa; corregida la causa, retry DOCUMENTO o alerts clear lo libera.',
    ],
    'clock-jumped': [
      'El reloj cambió de golpe más de un minuto; lo que esperaba se volvió a programar. Termina solo tras un día.',
      'Revise que el equipo, o el servidor de PostgreSQL, tome la hora por NTP; repita los cierres que nombra.',
    ],
    'clock-differs': [
      'El reloj con el que se trabaja difiere cinco minutos o más del que marca el servicio.',
      'Ponga en hora el equipo, o el servidor de PostgreSQL, con NTP.',
    ],
    'history-unclear': [
      'Una tienda empezó con un reloj adelantado, y ventas de entonces pueden haber quedado sin factura.',
      'Escriba invoiceFrom y reinicie, o confirme que no falta ninguna y dé el aviso por revisado.',
    ],
    'ledger-unwritable': [
      'No se puede escribir en el registro: no se recibe ni se emite nada. Va directo a cada canal y al registro de líneas.',
      'Libere espacio en el disco, revise el servidor de PostgreSQL, o restaure un respaldo si el archivo se dañó o se borró.',
    ],
    'webhooks-refused': [
      'Los webhooks de una tienda llegan firmados con otro secreto: sus pedidos se encuentran tarde.',
      'install --store TIENDA; en Shopify, revise clientSecrets.',
    ],
    'webhooks-not-stored': [
      'Una tienda sin acceso a la API envió más webhooks de los que se guardan en un día; hasta mañana sus pedidos no se guardan.',
      'Desde mañana, guarde otra vez en la tienda los pedidos sin factura, o emítala a mano; después, alerts clear.',
    ],
    'order-waiting': [
      'Un pedido o comprobante espera a una persona desde hace más de un día; el aviso se repite cada semana.',
      'Haga lo que dice; después sigue solo.',
    ],
    'jobs-overdue': [
      'Hay trabajo pendiente y ningún proceso lo toma: Redis no responde, está lleno, o no hay proceso worker.',
      'Revise Redis y el proceso worker; después todo sigue solo.',
    ],
    'buyer-unanswered': [
      'El comprador no dio su identificación hasta la hora límite.',
      'Pídasela, o envíele otra vez su enlace.',
    ],
    'buyer-asked': [
      'Un comprador pidió sus datos; hay 30 días.',
      'privacy export SOLICITUD y entréguele el archivo.',
    ],
    'second-factor-guessed': [
      'Alguien con la contraseña de un usuario del panel prueba códigos equivocados; cada cinco, la espera se duplica.',
      'Si no es esa persona, póngale otra contraseña (hash-password) y reinicie. Termina con un código correcto.',
    ],
    'registry-limit': [
      'Una tienda usó todas las consultas de nombres de un día; hasta mañana no se consulta ninguno.',
      'Suba policy.buyer.registryPerDay, o revise quién crea esos pedidos.',
    ],
    'close-differs': [
      'El cierre de un día no cuadra.',
      'Vea sus diferencias con «close», y repítalo cuando estén resueltas.',
    ],
    'reconciliation-behind': [
      'Hace tiempo que no se logra revisar una tienda, o una de sus listas: lo que ningún webhook avisó no se factura.',
      'Revise que la tienda responda: install --check.',
    ],
    'store-missing': [
      'Una tienda dejó la configuración con comprobantes en camino, que esperan.',
      'Devuélvala a la configuración, o «store add».',
    ],
    'shop-not-answering': [
      'Una tienda no responde o falla: lo suyo espera, las demás siguen.',
      'Revise su sitio o su hosting; se prueba sola y sigue cuando responda.',
    ],
    'shop-clock-back': [
      'La hora de cambio de un pedido retrocedió: el reloj de la tienda se adelantó y fue corregido, o la tienda se restauró de una copia. Vale lo último leído.',
      'Ponga el servidor de la tienda en hora con NTP; si se restauró, compruebe los últimos pedidos.',
    ],
    'order-unread': [
      'Hace una hora que la tienda da cuenta de un pedido y su API no lo muestra, o lo muestra como era antes. No se emite nada por él; se lee otra vez al menos cada hora.',
      'Excluya /wp-json/ de la caché y revise qué plugin o proxy responde por la API; en Shopify, el permiso read_all_orders. Si el pedido se borró en la tienda, dé el aviso por revisado.',
    ],
    'order-hidden-soon': [
      'Un pedido de hace 50 días o más tiene algo pendiente, y Shopify lo oculta desde los 60 a una app sin el permiso read_all_orders.',
      'Conceda el permiso a la app (docs/shopify.md), o resuelva antes lo pendiente.',
    ],
    'order-id-reused': [
      'La tienda dio a otro pedido el id de uno conocido; el nuevo espera.',
      'Compruebe si es otra venta: «retry DOCUMENTO --accept», o emita a mano.',
    ],
    'refund-id-reused': [
      'La tienda dio a otro reembolso un id que ya tiene nota de crédito; el nuevo espera.',
      'Compruebe si es otra devolución: «retry DOCUMENTO --accept», o emita a mano.',
    ],
    'shop-is-a-copy': [
      'La dirección configurada es una copia de la tienda (staging), con su misma identidad: no se lee, emite ni escribe nada por ella.',
      'Escriba la dirección de la que vende; si es esta, «store confirm TIENDA --as moved».',
    ],
    'shop-moved': [
      'La tienda conocida responde en otra dirección y no se pudo comprobar que se mudó: queda retenida.',
      'Si se mudó, «store confirm TIENDA --as moved»; si es una copia de pruebas, corrija la dirección.',
    ],
    'shop-twice': [
      'Dos tiendas de la configuración son la misma: la segunda queda retenida para no facturar dos veces.',
      'Deje una sola de las dos.',
    ],
    'shop-identity-changed': [
      'En la dirección responde otra tienda que antes (reinstalada, restaurada desde otra, dominio con otro dueño): queda retenida.',
      '«store confirm TIENDA --as same» si es la misma; «--as new» si es otra que empieza; si no es suya, corrija la dirección.',
    ],
    'shop-disconnected': ['La tienda ya no deja entrar, o se desinstaló.', 'Conéctela otra vez con install.'],
    'shop-uninstalled': [
      'La tienda quitó la app de Shopify; sus claves se borraron.',
      'Si fue un error, instálela otra vez.',
    ],
    'shop-without-store': ['Una tienda instaló la app y no está registrada.', 'Regístrela con «store add».'],
    'shop-scopes': [
      'A la app le faltan permisos.',
      'Publique la configuración con ellos y haga que la tienda los acepte.',
    ],
    'shop-installation': [
      'Algo de lo instalado en la tienda se dañó y no se pudo reparar solo.',
      'install --check dice qué; install lo repara.',
    ],
  },
} satisfies Group;
