import { getWidgetInventory } from '../../../lib/endpoints/widget/widget-inventory.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getWidgetInventory);
