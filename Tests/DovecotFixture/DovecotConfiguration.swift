import Glibc

extension DovecotFixture {
    var configuration: String {
        """
        base_dir = \(directory)/run
        state_dir = \(directory)/state
        log_path = \(directory)/dovecot.log
        protocols = imap
        listen = 127.0.0.1, 127.0.0.2
        \(identity)
        default_vsz_limit = 2 G
        shutdown_clients = yes
        mail_max_userip_connections = 1000
        auth_failure_delay = 0
        auth_mechanisms = \(options.mechanisms)
        disable_plaintext_auth = no
        ssl = \(options.tls ? "yes" : "no")
        ssl_cert = <\(directory)/tls/server.pem
        ssl_key = <\(directory)/tls/server.key
        ssl_min_protocol = TLSv1.2
        mail_location = maildir:~/Maildir
        mail_fsync = never
        namespace inbox {
          inbox = yes
          separator = /
        }
        \(tokens)
        passdb {
          driver = passwd-file
          args = scheme=PLAIN username_format=%u \(directory)/passwd
        }
        userdb {
          driver = passwd-file
          args = username_format=%u \(directory)/passwd
        }
        service imap-login {
          service_count = 0
          client_limit = 1000
          inet_listener imap {
            port = \(startTLSPort)
          }
          inet_listener imaps {
            port = \(port)
            ssl = yes
          }
        }
        service imap {
          process_limit = 1000
        }
        service anvil {
          unix_listener anvil-auth-penalty {
            mode = 0
          }
        }
        \(options.settings)

        """
    }

    private var tokens: String {
        guard options.introspectionURL != nil else { return "" }
        return """
            passdb {
              driver = oauth2
              mechanisms = xoauth2 oauthbearer
              args = \(directory)/oauth2.conf
            }
            """
    }

    /// Dovecot never opens mail as uid 0, and only root can switch to another user.
    private var identity: String {
        if getuid() == 0 { return "first_valid_uid = 1\nfirst_valid_gid = 1" }
        let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
        let group = getgrgid(getgid()).map { String(cString: $0.pointee.gr_name) } ?? "\(getgid())"
        return """
            default_internal_user = \(user)
            default_internal_group = \(group)
            default_login_user = \(user)
            first_valid_uid = \(getuid())
            first_valid_gid = \(getgid())
            service anvil {
              chroot =
            }
            service imap-login {
              chroot =
            }
            """
    }
}
