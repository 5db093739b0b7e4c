import { patchInventory, postInventory } from '../../../lib/endpoints/inventory.ts';
import { searchInventory } from '../../../lib/endpoints/search.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(postInventory, searchInventory, patchInventory);
