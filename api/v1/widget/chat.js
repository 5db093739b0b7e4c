import { postWidgetChat } from '../../../lib/endpoints/widget/widget-chat.ts';
import { serve } from '../../../lib/http/serve.ts';

export default serve(postWidgetChat);
