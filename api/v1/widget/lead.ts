import { postWidgetLead } from '../../../lib/endpoints/widget-lead.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(postWidgetLead);
