//! Starts real JVMs with the agent and reads what rootbound says of them.
