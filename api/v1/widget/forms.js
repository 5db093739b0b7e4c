import { getWidgetForms } from '../../../lib/endpoints/widget/widget-forms.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(getWidgetForms);
