import {
  deleteFeed,
  getFeed,
  getFeedChanges,
  getFeedRejects,
  getFeedRun,
  getFeedRuns,
  getFeeds,
  patchFeed,
  postFeedPreview,
  postFeedRuns,
  postFeeds,
  releaseFeedRun,
} from '../feeds/routes.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { getOwnAccount } from './account.ts';
import { cronDue, cronHousekeeping } from './cron-jobs.ts';
import { deleteDealer, getDealer, getDealers, patchDealers, postDealers, postTestLead } from './dealers.ts';
import { patchInventory, postInventory } from './inventory/inventory.ts';
import { deleteInventory, getInventory } from './inventory/listing.ts';
import { searchInventory } from './inventory/search.ts';
import { getIssues } from './issues/issues.ts';
import { deleteLead, getLead, getLeads, patchLead, postLeadDeliveries } from './leads.ts';
import { getAlertsOff, postAlertsOff } from './mail-links/alerts-off.ts';
import { getConfirmAddress, postConfirmAddress } from './mail-links/confirm-address.ts';
import { getMarketComparables, getMarketPrices, getMarketTrends } from './market.ts';
import { getMedia } from './media.ts';
import {
  deleteKey,
  getAccount,
  getAccounts,
  getKeys,
  patchAccount,
  postAccounts,
  postKeys,
  postSignInLinks,
} from './operator.ts';
import { getHealth } from './platform.ts';
import { postWidgetChat } from './widget/widget-chat.ts';
import { getWidgetForms } from './widget/widget-forms.ts';
import { getWidgetInventory } from './widget/widget-inventory.ts';
import { postWidgetLead } from './widget/widget-lead.ts';

/** Every endpoint of the service: what the OpenAPI document, the docs and the generated tests are made from. */
export const ENDPOINTS: readonly Endpoint[] = [
  postInventory,
  searchInventory,
  patchInventory,
  getInventory,
  deleteInventory,
  getIssues,
  postDealers,
  patchDealers,
  getDealers,
  getDealer,
  deleteDealer,
  postTestLead,
  getOwnAccount,
  getWidgetInventory,
  getWidgetForms,
  postWidgetChat,
  postWidgetLead,
  getLeads,
  getLead,
  postLeadDeliveries,
  patchLead,
  deleteLead,
  postFeeds,
  postFeedPreview,
  getFeeds,
  getFeed,
  patchFeed,
  deleteFeed,
  postFeedRuns,
  getFeedRuns,
  getFeedRun,
  getFeedChanges,
  releaseFeedRun,
  getFeedRejects,
  getMarketPrices,
  getMarketComparables,
  getMarketTrends,
  postAccounts,
  getAccounts,
  getAccount,
  patchAccount,
  postKeys,
  getKeys,
  deleteKey,
  postSignInLinks,
  getHealth,
  cronHousekeeping,
  cronDue,
  getMedia,
  getConfirmAddress,
  postConfirmAddress,
  getAlertsOff,
  postAlertsOff,
];
