import { postWidgetLead } from '../../../lib/endpoints/widget/widget-lead.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(postWidgetLead);
