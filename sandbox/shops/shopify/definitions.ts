import type { Bag } from './graphql-types.ts';
import type { ShopStore, StoredDefinition } from './store.ts';

export interface UserError {
  field: string[];
  message: string;
  code?: string;
}

interface DefinitionInput {
  key: string;
  type?: string;
  pin?: boolean | null;
  access?: { customerAccount?: string | null } | null;
}

/** As many definitions of one owner type as Shopify lets be pinned. */
const mostPinned = 20;

/** Reading, making and changing the metafield definitions of orders. */
export function definitionRoot({ definitions, pinnedByOthers }: ShopStore): Bag {
  const pinned = () =>
    pinnedByOthers + [...definitions.values()].filter((one) => one.pinnedPosition !== null).length;
  const refuse = (field: string, code: string, message: string): { userErrors: UserError[] } => ({
    userErrors: [{ field: ['definition', field], message, code }],
  });

  /** Takes over what the input says of pin and access; refuses a pin too many. */
  function apply(definition: StoredDefinition, { key, pin, access }: DefinitionInput) {
    if (pin === true && definition.pinnedPosition === null) {
      if (pinned() >= mostPinned) return refuse('pin', 'PINNED_LIMIT_REACHED', 'Limit of 20 pinned reached');
      definition.pinnedPosition = pinned() + 1;
    }
    if (pin === false) definition.pinnedPosition = null;
    definition.customerAccount = access?.customerAccount ?? definition.customerAccount;
    definitions.set(key, definition);
    return { userErrors: [] };
  }

  return {
    metafieldDefinitions: () => ({
      nodes: [...definitions].map(([key, { type, pinnedPosition, customerAccount }]) => ({
        key,
        type: { name: type },
        pinnedPosition,
        access: { customerAccount },
      })),
    }),

    metafieldDefinitionCreate({ definition }: { definition: DefinitionInput }) {
      if (definitions.has(definition.key)) return refuse('key', 'TAKEN', 'Key is in use');
      const type = definition.type ?? 'single_line_text_field';
      return apply({ type, pinnedPosition: null, customerAccount: 'NONE' }, definition);
    },

    metafieldDefinitionUpdate({ definition }: { definition: DefinitionInput }) {
      const there = definitions.get(definition.key);
      return there ? apply(there, definition) : refuse('key', 'NOT_FOUND', 'Definition was not found');
    },
  };
}
