/** The digits of a REST id; from the text form where there is one, since JSON numbers above 2^53 are rounded. */
export function exactId(object: {
  id: string | number;
  admin_graphql_api_id?: string | null | undefined;
}): string {
  return object.admin_graphql_api_id?.match(/\/(\d+)$/)?.[1] ?? BigInt(object.id).toString();
}

/** The digits of a GraphQL id. */
export function numericId(gid: string): string {
  return /^[^?]*\/(\d+)(\?.*)?$/.exec(gid)?.[1] ?? gid;
}

export function globalId(orderId: string): string {
  return `gid://shopify/Order/${orderId}`;
}
