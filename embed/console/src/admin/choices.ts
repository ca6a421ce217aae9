// The values that the API knows, in the order in which they are offered.
export const plans = ['FREE', 'STARTER', 'PRO', 'ENTERPRISE'] as const;
export const accountStates = ['ACTIVE', 'PAUSED', 'AUTH_REQUIRED', 'RESTRICTED', 'DISCONNECTED', 'ERROR'] as const;
export const proxyStates = ['UNCHECKED', 'ACTIVE', 'UNREACHABLE', 'AUTH_FAILED', 'DISABLED'] as const;
export const campaignStates = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;
export const taskStates = ['pending', 'active', 'scheduled', 'retry', 'archived'] as const;
export const reportStates = ['OPEN', 'INVESTIGATING', 'RESOLVED', 'DISMISSED'] as const;
export const categories = ['SPAM', 'FRAUD', 'HARASSMENT', 'PRIVACY', 'OTHER'] as const;
export const sources = ['CUSTOMER', 'PLATFORM', 'ADMIN'] as const;
export const actors = ['PLATFORM_ADMIN', 'USER', 'API_KEY', 'SYSTEM', 'CUSTOMER'] as const;

export type Plan = (typeof plans)[number];
export type ReportState = (typeof reportStates)[number];
