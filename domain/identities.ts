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
export const READY_IDENTITY = 'f10-1' as const;
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

/** One evaluation report: digest of the data, identities of the models, split, figures; `schema` of it. */
export const REPORT_IDENTITY = 'f11-1' as const;
/** `accounting` of an evaluation report: its calls and tokens balance. */
export const REPORT_ACCOUNTING_IDENTITY = 'f11-2' as const;
/** `lifecycle` of an evaluation report: the states that statements reached. */
export const REPORT_LIFECYCLE_IDENTITY = 'f11-3' as const;
/** Several evaluation reports of one release; `schema` of the bundle. */
export const REPORT_BUNDLE_IDENTITY = 'f11-suite-1' as const;
/** Baselines from before there were reports; nothing writes it. */
export const BASELINE_IDENTITY = 'poc-0' as const;

export interface ContractIdentity {
  readonly identity: string;
  readonly where: string;
  readonly covers: string;
  /** `there`: something carries it. `unavailable`: what would carry it is not built. `historic`: nothing carries it any more. */
  readonly state: 'there' | 'unavailable' | 'historic';
}

const there = (identity: string, where: string, covers: string): ContractIdentity => ({
  identity,
  where,
  covers,
  state: 'there',
});
const unavailable = (identity: string, where: string, covers: string): ContractIdentity => ({
  ...there(identity, where, covers),
  state: 'unavailable',
});

/** All identities, each with the place that carries it; the reference page says the same. */
export const CONTRACT_IDENTITIES: readonly ContractIdentity[] = [
  there(
    GOVERNANCE_IDENTITY,
    "`record_version` of decisions: `GET /api/v1/governance/reviews/:review_id`, a statement's page, `gate_decisions` of archives",
    'the governed lifecycle: how proposals enter',
  ),
  there(
    PIPELINE_IDENTITY,
    '`version` of `GET /api/health`, `pipeline_version` of statements',
    'extractor and pipeline',
  ),
  there(
    PROFILE_IDENTITY,
    '`profile_version` in search, ask and context',
    'retrieval and context profile',
  ),
  there(
    GAP_REPORT_IDENTITY,
    '`report_version` of `POST /api/v1/readiness`, `requirement_schema_version` of skill cards',
    'skill selectors and gap report',
  ),
  there(READY_IDENTITY, '`version` of `GET /api/ready`', 'readiness payload'),
  unavailable(REPORT_IDENTITY, '`schema` of a report of `npm run eval`', 'evaluation report'),
  unavailable(
    REPORT_ACCOUNTING_IDENTITY,
    '`accounting` of a report of `npm run eval`',
    'balance of calls and tokens',
  ),
  unavailable(
    REPORT_LIFECYCLE_IDENTITY,
    '`lifecycle` of a report of `npm run eval`',
    'states that statements reached, replay without effect',
  ),
  unavailable(
    REPORT_BUNDLE_IDENTITY,
    '`schema` of several reports of one release',
    'bundle of evaluation reports',
  ),
  there(
    SURFACE_IDENTITY,
    '`schema_version` of `docs/surfaces.json`',
    'which surfaces exist, are gated or unavailable',
  ),
  {
    identity: BASELINE_IDENTITY,
    where: 'no answer and no report',
    covers: 'baselines from before there were reports',
    state: 'historic',
  },
  there(
    EVIDENCE_IDENTITY,
    '`schema_version` of `GET /api/v1/operations/extraction-evidence`',
    'evidence export',
  ),
  there(ERASURE_RECEIPT, "`receipt` of the body of an erasure's receipt", 'erasure receipt'),
  there(
    BACKUP_IDENTITY,
    '`schema` of `backup.json` (`vouch backup`)',
    'what a backup of an installation holds',
  ),
  there(
    AUDIT_CHAIN_IDENTITY,
    '`chain` of a hashed audit event (`engine/audit/digest.ts`)',
    'what the hashes of the audit chain cover',
  ),
  there(ARCHIVE_IDENTITY, "`schema` of the manifest of an account's archive", 'account archive'),
];
