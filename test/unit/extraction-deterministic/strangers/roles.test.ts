/** The turns of machines under all the names that imports give them yield nothing; those of people do, whatever they are called. */
import { expect, test } from '@jest/globals';
import { isEvidenceRole } from '../../../../domain/observations/roles.ts';

const MACHINES =
  'assistant,system,tool,ai,bot,developer,function,model,tool_call,tool_result'.split(',');
const cased = (role: string): readonly string[] => [
  role,
  role.toUpperCase(),
  role.charAt(0).toUpperCase() + role.slice(1),
];
const FORMS = MACHINES.flatMap(cased);

test('roles of machines are tried in thirty forms', () => {
  expect(new Set(FORMS).size).toBeGreaterThanOrEqual(30);
});

test.each(FORMS)('a turn of the role %s is no evidence', (role) => {
  expect(isEvidenceRole(role)).toBe(false);
});

test.each(
  `user,User,human,customer,client,patient,student,teacher,agent,support,sales,manager,owner,member,guest,visitor,peer,friend,parent,
nurse,doctor,interviewer,candidate,moderator,host,author,speaker,caller,modeler,botanist,toolmaker,assistant manager`
    .split(',')
    .map((role) => role.trim()),
)('a turn of the role %s is evidence', (role) => {
  expect(isEvidenceRole(role)).toBe(true);
});
