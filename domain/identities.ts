/**
 * Every contract identity, in one place. An identity does not depend on the application's version. To change one,
 * change its tests, the reference page and the changelog with it.
 */

/** Name of the product as people read it, and as machines do. */
export const DISPLAY_NAME = 'Vouch';
export const APP_NAME = 'vouch';

/** Version of the application, as `package.json` has it; `app_version` of archives. */
export const APP_VERSION = '0.1.0';

/** Governed lifecycle: how proposals enter; `record_version` of decisions, as shown and in archives. */
export const GOVERNANCE_IDENTITY = 'f4-1' as const;
/** Extractor and pipeline; `version` of `GET /api/health`. */
export const PIPELINE_IDENTITY = 'f5-1' as const;
/** Retrieval and context profile; `profile_version` in search, ask and context. */
export const PROFILE_IDENTITY = 'f7-1' as const;
/** Skill selector language and gap report; `report_version` in readiness reports. */
export const GAP_REPORT_IDENTITY = 'f9-1' as const;
/** Payload shape of `GET /api/ready`. */
export const READY_IDENTITY = 'f10-1';
/** Inventory of surfaces; `schema_version` of `docs/surfaces.json`. */
export const SURFACE_IDENTITY = 'f11-surface-contracts-1' as const;
/** Account archive schema. */
export const ARCHIVE_IDENTITY = 'service-account-1' as const;
/** Evidence export schema; `schema_version` of the extraction evidence. */
export const EVIDENCE_IDENTITY = 'vouch-extraction-evidence-1' as const;

/** Signed receipt of an erasure; `receipt` of its body. */
export const ERASURE_RECEIPT = 'vouch-erasure-receipt-1' as const;

/** A backup of an installation; `schema` of its manifest. */
export const BACKUP_IDENTITY = 'vouch-backup-1' as const;

/** The form of an audit event that is hashed; `chain` of it. */
export const AUDIT_CHAIN_IDENTITY = 'vouch-audit-chain-1' as const;

/** All identities a response or a row can carry. */
export const IDENTITIES = [
  GOVERNANCE_IDENTITY,
  PIPELINE_IDENTITY,
  PROFILE_IDENTITY,
  GAP_REPORT_IDENTITY,
  READY_IDENTITY,
  SURFACE_IDENTITY,
  ARCHIVE_IDENTITY,
  EVIDENCE_IDENTITY,
  ERASURE_RECEIPT,
  AUDIT_CHAIN_IDENTITY,
  BACKUP_IDENTITY,
] as const;
