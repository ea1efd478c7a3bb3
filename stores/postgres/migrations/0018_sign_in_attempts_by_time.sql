-- Attempts that are over are found by their time, however many of the window stay.
create index sign_in_attempts_by_time on sign_in_attempts (attempted_at);
