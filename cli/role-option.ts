import { Option } from 'commander';
import { ROLE_WORDS } from '../domain/identity/roles.ts';

/** The mandatory `--role`, one of the four words. */
export function roleOption(): Option {
  return new Option('--role <role>', 'reader < member < curator < account-admin')
    .choices(ROLE_WORDS)
    .makeOptionMandatory();
}
