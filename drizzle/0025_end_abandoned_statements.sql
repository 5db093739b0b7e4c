-- A statement is given up by closing its connection: so the server notices within a second, and ends it.
do $$ begin
  execute format('alter role %I in database %I set client_connection_check_interval = %L',
    current_user, current_database(), '1s');
exception when invalid_parameter_value or insufficient_privilege then
  -- Windows cannot tell, and some providers do not allow it: there it ends when it is done.
  null;
end $$;
