import { type DirectiveNode, Kind, parse, visit } from 'graphql';
import { documents, productDocuments } from './graphql.ts';

/**
 * The scope each field asks for that shows or changes what is protected (the schema's access scopes of API 2026-10;
 * for mutations and products shopify.dev). Fields not named here need none beside those of the object they stand on.
 * Names with a capital are types a fragment picks.
 */
const scopeOf: Readonly<Record<string, string>> = {
  ...each('read_orders', [
    ...['order', 'orders', 'Order', 'lineItems', 'lineItem', 'LineItem', 'transactions', 'additionalFees'],
    ...['duties', 'originalDuty', 'refund', 'refunds', 'refundLineItems', 'refundShippingLines'],
    ...['orderAdjustments', 'totalCashRoundingAdjustment'],
  ]),
  ...each('read_customers', [
    ...['customer', 'defaultEmailAddress', 'defaultPhoneNumber', 'company', 'location', 'taxSettings'],
  ]),
  ...each('read_products', ['product', 'collections']),
  ...each('write_orders', ['metafieldsSet', 'metafieldsDelete', 'tagsAdd', 'tagsRemove']),
};

function each(scope: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, scope]));
}

export interface ScopesAsked {
  /** Tags and collections of what was sold are read too (`connection.productDetails`). */
  productDetails?: boolean;
}

/**
 * The access scopes an app needs for every document we send, sorted; for `[access_scopes]` of the app's TOML.
 * `read_all_orders` is not among them: it only widens what is seen to orders older than 60 days, and Shopify grants
 * it on request.
 */
export function requiredScopes({ productDetails = false }: ScopesAsked = {}): string[] {
  const sent = { ...documents, ...(productDetails ? productDocuments : {}) };
  const all = Object.values(sent).flatMap((text) => scopedNames(text, { products: productDetails }));
  return [...new Set(all.map((name) => scopeOf[name] ?? ''))].toSorted();
}

/** Whether a name of a document, a field or a fragment's type, needs a scope of its own; for the test of the table. */
export function scopeOfName(name: string): string | undefined {
  return Object.hasOwn(scopeOf, name) ? scopeOf[name] : undefined;
}

export const scopedNamesKnown: readonly string[] = Object.keys(scopeOf);

/** The names in a document that need a scope; parts left out by `@include(if: $…)` do not count. */
function scopedNames(text: string, switches: Readonly<Record<string, boolean>>): string[] {
  const names: string[] = [];
  const note = (name: string) => void (scopeOfName(name) && names.push(name));
  visit(parse(text), {
    Field(node) {
      if (isLeftOut(node.directives, switches)) return false;
      note(node.name.value);
    },
    InlineFragment(node) {
      note(node.typeCondition?.name.value ?? '');
    },
    FragmentDefinition(node) {
      note(node.typeCondition.name.value);
    },
  });
  return names;
}

function isLeftOut(
  directives: readonly DirectiveNode[] | undefined,
  switches: Readonly<Record<string, boolean>>,
): boolean {
  const condition = directives?.find(({ name }) => name.value === 'include')?.arguments?.[0]?.value;
  return condition?.kind === Kind.VARIABLE && switches[condition.name.value] === false;
}
