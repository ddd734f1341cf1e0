import { inBoth } from './words.ts';

/** What stands around every page. */
export const frameWords = inBoth(
  {
    skip: 'Ir al contenido',
    menu: 'Páginas del panel',
    home: 'facturapuente, panel',
    other: 'English',
    signOut: 'Salir',
    signedIn: (user: string) => `Usted entró como ${user}.`,
    roles: { read: 'lectura', operate: 'operación', configure: 'configuración' },
    signIn: {
      title: 'Entrar al panel',
      user: 'Usuario',
      password: 'Contraseña',
      submit: 'Entrar',
      wrong: 'El usuario o la contraseña no son correctos.',
      busy: 'Hay muchos ingresos a la vez. Pruebe otra vez dentro de unos segundos.',
      tooMany: 'Hubo demasiados intentos. Espere quince minutos antes de volver a probar.',
      insecure:
        'El panel necesita una dirección https: en publicUrl está una http, con la que el navegador no guarda la sesión.',
      ended: 'Su sesión terminó; entre de nuevo.',
    },
    refused: {
      title: 'No se hizo nada',
      forged:
        'La solicitud no vino de una página abierta de este panel, o la página ya venció. Vuelva a la página y pruebe de nuevo.',
      role: 'Su usuario no puede hacer esto. Pídalo a quien administra facturapuente.',
      unread: 'La solicitud no se pudo leer. Vuelva a la página y pruebe de nuevo.',
      failed: 'Ocurrió un error interno; vuelva a intentarlo en unos minutos.',
    },
    missing: { title: 'Esta página no existe', says: 'Revise la dirección o vuelva al inicio del panel.' },
    back: 'Volver al inicio',
  },
  {
    skip: 'Skip to content',
    menu: 'Pages of the panel',
    home: 'facturapuente, panel',
    other: 'Español',
    signOut: 'Sign out',
    signedIn: (user: string) => `You are signed in as ${user}.`,
    roles: { read: 'read', operate: 'operate', configure: 'configure' },
    signIn: {
      title: 'Sign in to the panel',
      user: 'User',
      password: 'Password',
      submit: 'Sign in',
      wrong: 'The user or the password is not correct.',
      busy: 'Many people are signing in at once. Try again in a few seconds.',
      tooMany: 'There were too many attempts. Wait fifteen minutes before you try again.',
      insecure:
        'The panel needs an https address: publicUrl has an http one, over which browsers do not keep the session.',
      ended: 'Your session has ended; please sign in again.',
    },
    refused: {
      title: 'Nothing was done',
      forged:
        'The request did not come from an open page of this panel, or the page is out of date. Go back to the page and try again.',
      role: 'Your user may not do this. Ask whoever administers facturapuente.',
      unread: 'The request could not be read. Go back to the page and try again.',
      failed: 'Something failed inside; try again in a few minutes.',
    },
    missing: {
      title: 'There is no such page',
      says: 'Check the address, or go back to the start of the panel.',
    },
    back: 'Back to the start',
  },
);
