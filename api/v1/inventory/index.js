import { patchInventory, postInventory } from '../../../lib/endpoints/inventory/inventory.ts';
import { searchInventory } from '../../../lib/endpoints/inventory/search.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(postInventory, searchInventory, patchInventory);
